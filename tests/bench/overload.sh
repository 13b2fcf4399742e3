#!/bin/sh
# overload.sh - half as many cold tiles again as the server can make, from clients that do not wait
# (open_loop.c), while a probe asks for its health.
# Usage: overload.sh BUILD-DIRECTORY
set -eu
build=$1
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"
duration=6
open_loop=$build/tests/bench/open_loop

start_server ''
port=${url##*:}
for round in 1 2 3; do
    load capacity "$pid" '' 64 "$seconds" "$url" -s "$here/cold.lua" -- "$tile" ${round}000000
done
best capacity
capacity=$rate
offered=$(calculate "1.5 * $capacity")

"$open_loop" "$port" 20 "$duration" /health/live >"$scratch/health" &
probe=$!
before=$(cpu_ns "$pid")
"$open_loop" "$port" "$offered" "$duration" "$tile.png?seed=" 100000000 >"$scratch/tiles"
wait "$probe"
after=$(cpu_ns "$pid")

result() { sed -n "s/^$2 //p" "$scratch/$1"; }
due=$(result tiles due) ok=$(result tiles ok) refused=$(result tiles refused)

section "overload: 1.5 x capacity of cold tiles for $duration s, open loop; latencies from when a request was due"
figure row 'capacity, 64 connections, closed loop' '/s' "$capacity"
figure row 'offered' '/s' "$offered" capacity "$capacity" share
figure key '200' '/s' "$(calculate "$ok / $duration")" capacity "$capacity" share
figure key 'share of 503' '' "$(calculate "$refused / $due")" 'beyond capacity' 0.333333 share
figure row '200, p50' us "$(result tiles p50)"
figure key '200, p99' us "$(result tiles p99)"
figure row '200, longest' us "$(result tiles longest)"
figure key '503 with Retry-After' '' "$(result tiles advised)" 'all 503' "$refused" share 'ratio >= 1'
figure row 'other statuses' '' "$(result tiles other)" '' '' '' 'value <= 0'
figure row 'connections lost, requests unanswered' '' \
    "$(calculate "$(result tiles errors) + $(result tiles unanswered)")" '' '' '' 'value <= 0'
figure row 'health, p50' us "$(result health p50)"
figure key 'health, p99' us "$(result health p99)" '200, p99' "$(result tiles p99)" share
figure row 'health, other than 200' '' "$(calculate "$(result health due) - $(result health ok)")" '' '' '' 'value <= 0'
figure row 'longest wait for a connection here' us "$(result tiles late)"
figure row 'CPUs that the server took' CPUs "$(calculate "($after - $before) / 1e9 / $duration")" all "$(nproc)" share
figure row 'CPUs that making this load took' CPUs "$(calculate "$(result tiles cpu) / 1e6 / $duration")" all "$(nproc)" share
