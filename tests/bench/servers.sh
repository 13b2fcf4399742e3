#!/bin/sh
# servers.sh - for the parts of the bench that need servers: starting and ending them, load from wrk,
# CPU time, rows. Sourced, with $build set.
# shellcheck disable=SC2034,SC2154 # build is set, and much of this used, by whoever sources it
seconds=${BENCH_SECONDS:-1}
here=$(dirname "$0")
scratch=$(mktemp -d)
started='' # processes of ours

# Four cells of the first octave across, as in the figures for fill and PNG; and a smooth one, further in.
tile=/tile/1/0/1 smooth_tile=/tile/9/100/200

finish() {
    for pid in $started; do kill "$pid" 2>/dev/null || true; done
    for pid in $started; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM

# Where there are two CPUs: what is measured on one, what makes the load on the other.
if [ "$(nproc)" -gt 1 ]; then
    on_first='taskset -c 0' on_second='taskset -c 1'
else
    on_first='' on_second=''
fi

section() { printf 'section\t%s\n' "$1"; }

# key|row|point NAME UNIT VALUE [BASELINE BASELINE_VALUE speed|share [TARGET]]: a figure (rows.h).
figure() {
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" "${6:-}" "${7:-}" "${8:-}"
}

calculate() { awk "BEGIN { printf \"%.6g\", $1 }"; }

# start_server PREFIX [option...]: sets pid and url. PREFIX is $on_first or ''.
start_server() {
    prefix=$1
    shift
    : >"$scratch/out"
    $prefix "$build/noisetile" serve --listen 127.0.0.1:0 --access-log false "$@" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    started="$started $pid"
    for _ in $(seq 200); do
        url=$(sed -n 's/^listening on //p' "$scratch/out")
        [ -z "$url" ] || return 0
        sleep 0.02
    done
    echo 'bench: no server came up' >&2
    exit 1
}

stop_server() { # stop_server PID
    kill "$1"
    wait "$1" || true
    started=$(echo "$started" | sed "s/ $1\\b//")
}

# ns of CPU time that the threads of a process have used, those whose name begins with NAME.
cpu_ns() { # cpu_ns PID [NAME]
    for task in "/proc/$1/task"/*; do
        case $(cat "$task/comm" 2>/dev/null) in
        "${2:-}"*) cat "$task/schedstat" 2>/dev/null || true ;;
        esac
    done | awk '{ ns += $1 } END { printf "%.0f", ns }'
}

# load NAME PID PREFIX CONNECTIONS SECONDS URL [wrk argument...]: wrk against a server, one line in NAME.load:
# requests a second, p50, p99, CPU of the server for each request (us), CPUs busy with server and wrk,
# answers that were neither 2xx nor 3xx.
load() (
    name=$1 server=$2 prefix=$3 connections=$4 for_s=$5 target=$6
    shift 6
    before=$(cpu_ns "$server")
    (
        $prefix wrk -t1 -c"$connections" -d"${for_s}s" --latency "$target" "$@"
        times
    ) >"$scratch/wrk"
    after=$(cpu_ns "$server")
    awk -v server="$(calculate "$after - $before")" '
        function us(text) { return text * (text ~ /us$/ ? 1 : text ~ /ms$/ ? 1e3 : text ~ /m$/ ? 6e7 : 1e6) }
        function cpu_s(text, part) { split(text, part, "m"); return part[1] * 60 + part[2] }
        $1 == "50%" { p50 = us($2) }
        $1 == "99%" { p99 = us($2) }
        /requests in/ { n = $1; wall = us($4) / 1e6 }
        /Requests\/sec/ { rate = $2 }
        /Non-2xx/ { bad = $NF }
        { wrk = cpu_s($1) + cpu_s($2) } # the last line is that of `times`
        END { print rate, p50, p99, n ? server / 1e3 / n : 0, (server / 1e9 + wrk) / wall, bad + 0 }
    ' "$scratch/wrk" >>"$scratch/$name.load"
)

# best NAME: the fastest round of a load, in rate, p50, p99, cpu, busy and bad.
best() {
    # shellcheck disable=SC2046 # words on purpose
    set -- $(sort -rn "$scratch/$1.load" | head -n 1)
    rate=$1 p50=$2 p99=$3 cpu=$4 busy=$5 bad=$6
    [ "$bad" = 0 ] || echo "bench: $bad answers were neither 2xx nor 3xx" >&2
}
