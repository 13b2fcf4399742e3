#!/bin/sh
# Does the server's memory stay where it is? A million mixed requests (soak.lua), or as many as fit into the
# time. The resident memory is read every second; it must stay within 48 MiB and the cache's size, and
# after the first tenth its mean must not grow from the first half to the second by 5 % or more (judged from 40
# readings on).
# SOAK_CACHE=16: MiB of cache. CONNECTIONS=32.
# Usage: soak.sh BUILD-DIRECTORY [REQUESTS [SECONDS]]
set -eu
build=$1
requests=${2:-1000000}
seconds=${3:-170}
cache=${SOAK_CACHE:-16} # full long before a tenth of the run
here=$(dirname "$0")
scratch=$(mktemp -d)
server=''

finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM

resident() { # kB
    awk '/^VmRSS/ { print $2 }' "/proc/$server/status"
}

: >"$scratch/out"
"$build/noisetile" serve --listen 127.0.0.1:0 --access-log false --cache "$cache" >"$scratch/out" 2>"$scratch/err" &
server=$!
for _ in $(seq 100); do
    url=$(sed -n 's/^listening on //p' "$scratch/out")
    [ -z "$url" ] || break
    sleep 0.05
done
[ -n "$url" ] || { echo 'soak: no server came up' >&2; cat "$scratch/err" >&2; exit 1; }
printf 'soak: %s requests, at most %s s, cache %s MiB\n' "$requests" "$seconds" "$cache"
printf '%10s %10s %12s\n' requests seconds 'resident kB'
printf '%10d %10d %12d\n' 0 0 "$(resident)"

# wrk counts time, not requests: runs of one second, each with other seeds, until one of both is over.
begun=$(date +%s)
sent=0 bad=0 broken=0 run=0 passed=0
: >"$scratch/resident"
while [ "$sent" -lt "$requests" ] && [ "$passed" -lt "$seconds" ]; do
    run=$((run + 1))
    SOAK_SEED=$run wrk -t1 -c"${CONNECTIONS:-32}" -d1s -s "$here/soak.lua" "$url" >"$scratch/wrk"
    read -r _ n others errors <<EOF
$(grep '^soak ' "$scratch/wrk")
EOF
    sent=$((sent + n)) bad=$((bad + others)) broken=$((broken + errors))
    passed=$(($(date +%s) - begun))
    echo "$sent $passed $(resident)" | tee -a "$scratch/resident" | awk '{ printf "%10d %10d %12d\n", $1, $2, $3 }'
done
peak=$(awk '/^VmHWM/ { print $2 }' "/proc/$server/status")
curl -s "$url/health/ready"
echo
awk -v bad="$bad" -v broken="$broken" -v peak="$peak" -v limit=$(((48 + cache) * 1024)) '
    { sent[NR] = $1; kb[NR] = $3 }
    END {
        for (i = 1; i <= NR; i++) {
            if (sent[i] * 20 < sent[NR] * 11) { if (sent[i] * 10 >= sent[NR]) { first += kb[i]; n++ } }
            else { second += kb[i]; m++ }
            if (kb[i] > most) most = kb[i]
        }
        if (!n || !m) { print "soak: too short to tell"; exit 1 }
        growth = (second / m) / (first / n) - 1
        printf "soak: %d requests, %d unexpected answers, %d errors; resident %d kB, then %d kB (%+.1f %%), at most %d kB, for moments %d kB; allowed %d kB\n",
            sent[NR], bad, broken, first / n, second / m, 100 * growth, most, peak, limit
        long = NR >= 40 # a single reading is off by 5 %, too
        if (!long) print "soak: too short to judge the growth"
        ok = !bad && !broken && most <= limit && (!long || growth < 0.05)
        print ok ? "soak: ok" : "soak: FAILED"
        exit !ok
    }' "$scratch/resident"
