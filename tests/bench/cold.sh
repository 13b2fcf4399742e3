#!/bin/sh
# cold.sh - tiles that nobody has asked for before, with all CPUs; then start and memory.
# Usage: cold.sh BUILD-DIRECTORY
set -eu
build=$1
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"
cores=$(nproc)

# ---- Cold tiles ------------------------------------------------------------------------------------

section 'HTTP, cold: perlin fBm 5, 256 x 256, PNG, keep-alive, server and wrk on all CPUs'
start_server ''
load warm "$pid" '' 8 1 "$url" -s "$here/cold.lua" -- "$tile" 0
for round in 1 2 3; do
    load cold "$pid" '' 8 "$seconds" "$url" -s "$here/cold.lua" -- "$tile" ${round}000000
    load smooth "$pid" '' 8 "$seconds" "$url" -s "$here/cold.lua" -- "$smooth_tile" ${round}000000
    load hot "$pid" '' 8 "$seconds" "$url$tile.png"
done
best smooth
smooth_rate=$rate smooth_cpu=$cpu
best hot
hot_rate=$rate hot_p50=$p50 hot_p99=$p99 hot_cpu=$cpu
best cold
figure key 'cold tile, CPU of all threads' us "$cpu" 'hot tile' "$hot_cpu" share 'value <= 250'
figure key 'cold tile' '/s' "$rate" 'hot tile' "$hot_rate" share
figure row 'cold tile, p50' us "$p50" 'hot tile' "$hot_p50" share
figure row 'cold tile, p99' us "$p99" 'hot tile' "$hot_p99" share
figure key 'CPUs busy, server and wrk' CPUs "$busy" 'all' "$cores" share 'ratio >= 0.9'

figure row 'smooth cold tile (zoom 9), CPU of all threads' us "$smooth_cpu" 'cold tile' "$cpu" share
figure row 'smooth cold tile' '/s' "$smooth_rate" 'cold tile' "$rate" share

# Who did the work of one more round. The rendering threads send what they have made, too.
all=$(cpu_ns "$pid") rendering=$(cpu_ns "$pid" worker)
load groups "$pid" '' 8 "$seconds" "$url" -s "$here/cold.lua" -- "$tile" 9000000
share=$(calculate "($(cpu_ns "$pid" worker) - $rendering) / ($(cpu_ns "$pid") - $all)")
best groups
figure row 'cold tile, CPU of the rendering threads' us "$(calculate "$cpu * $share")" 'all threads' "$cpu" share
figure row 'cold tile, CPU of the HTTP threads' us "$(calculate "$cpu * (1 - $share)")" 'all threads' "$cpu" share
stop_server "$pid"

# ---- Start -----------------------------------------------------------------------------------------

section 'start and memory'
worst=0
for _ in $(seq 10); do
    begin=$(date +%s%N)
    mkfifo "$scratch/first_line"
    "$build/noisetile" serve --listen 127.0.0.1:0 >"$scratch/first_line" 2>"$scratch/err" &
    pid=$!
    started="$started $pid"
    read -r _ <"$scratch/first_line"
    took=$(($(date +%s%N) - begin))
    [ "$took" -le "$worst" ] || worst=$took
    stop_server "$pid"
    rm "$scratch/first_line"
done
figure key 'from exec to listening, worst of 10' ms "$(calculate "$worst / 1e6")" '' '' '' 'value <= 50'

# ---- Memory ----------------------------------------------------------------------------------------

# A short soak: kinds, formats and sizes up to 512 mixed, hot and cold, mistakes too. Too short to judge
# growth: that takes a million requests.
resident() { awk '/^VmRSS/ { printf "%.1f", $2 / 1024 }' "/proc/$pid/status"; }

start_server '' --cache 16
wrk -t1 -c16 -d6s -s "$here/mixed.lua" "$url" >"$scratch/mixed" &
wrk=$!
sleep 1.5
early=$(resident)
wait "$wrk"
requests=$(awk '/requests in/ { print $1 }' "$scratch/mixed")
figure key "resident after $requests mixed requests" MiB "$(resident)" '' '' '' "value <= $((48 + 16))"
figure row 'resident, at the end' MiB "$(resident)" 'after a quarter' "$early" share
stop_server "$pid"

# What one tile of the largest size takes while it is made, the connection and all, above what the server had.
pixels=$((2048 * 2048)) dearest=0
for query in 'png?style=terrarium' 'png?style=color&ramp=0:00000000,1:ffffff80' 'png?bits=16' 'json?seed=1' 'bin?seed=1'; do
    start_server '' --cache 0 --workers 1
    curl -s -o /dev/null "$url$tile.png"
    early=$(resident)
    curl -sf --compressed -o /dev/null "$url$tile@2x.${query%%\?*}?size=1024&${query#*\?}"
    peak=$(awk '/^VmHWM/ { printf "%.1f", $2 / 1024 }' "/proc/$pid/status")
    took=$(calculate "($peak - $early) * 1048576 / $pixels")
    stop_server "$pid"
    dearest=$(calculate "($dearest > $took ? $dearest : $took)")
done
figure key 'while a tile of 2048 x 2048 is made, dearest format' 'B a pixel' "$dearest" '' '' '' 'value <= 24'
