#!/bin/sh
# make bench: the core's figures, then HTTP with wrk: hot, 304 and cold tiles, and nginx serving the same
# bytes in the same run. Server and nginx are pinned to one CPU, wrk to another, where there are two.
# Usage: run.sh BUILD-DIRECTORY
set -eu
build=$1
seconds=${BENCH_SECONDS:-4}
here=$(dirname "$0")
scratch=$(mktemp -d)
server=''
nginx=''

finish() {
    for pid in $server $nginx; do kill "$pid" 2>/dev/null || true; done
    for pid in $server $nginx; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT INT TERM

pin() { # pin CPU COMMAND...
    cpu=$1
    shift
    if [ "$(nproc)" -gt 1 ]; then exec taskset -c "$cpu" "$@"; else exec "$@"; fi
}

wait_for() { # wait_for FILE PATTERN
    for _ in $(seq 100); do
        grep -q "$2" "$1" 2>/dev/null && return
        sleep 0.05
    done
    echo "bench: nothing came up" >&2
    exit 1
}

ticks() { # CPU time a process and its threads have used, in clock ticks
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# measure NAME PID URL [wrk arguments]: one row of the table.
measure() {
    name=$1 pid=$2 target=$3
    shift 3
    before=$(ticks "$pid")
    (pin 1 wrk -t1 -c"${CONNECTIONS:-32}" -d"${seconds}s" --latency "$@" "$target") >"$scratch/wrk"
    after=$(ticks "$pid")
    awk -v name="$name" -v used=$((after - before)) -v hz="$(getconf CLK_TCK)" '
        /50%/ { p50 = $2 } /99%/ { p99 = $2 }
        /requests in/ { n = $1 } /Requests\/sec/ { rate = $2 } /Non-2xx/ { bad = " (" $NF " not 2xx/3xx)" }
        END { printf "  %-34s %10.0f /s  p50 %8s  p99 %8s  %8.1f us CPU each%s\n", name, rate, p50, p99, used / hz / n * 1e6, bad }
    ' "$scratch/wrk" | tee -a "$scratch/table"
}

# start_server [pin CPU]: sets server and url.
start_server() {
    : >"$scratch/out"
    ("$@" "$build/noisetile" serve --listen 127.0.0.1:0 --access-log false) >"$scratch/out" 2>"$scratch/err" &
    server=$!
    wait_for "$scratch/out" listening
    url=$(sed -n 's/^listening on //p' "$scratch/out")
}

"$build/tests/bench/bench"

printf '\nHTTP, keep-alive, %s connections, %ss each\n' "${CONNECTIONS:-32}" "$seconds"
start_server pin 0
tile=$url/tile/3/2/5.png
curl -s -o "$scratch/tile.png" -D "$scratch/head" "$tile"
etag=$(tr -d '\r' <"$scratch/head" | sed -n 's/^ETag: //p')

measure 'hot tile' "$server" "$tile"
measure 'hot JSON' "$server" "$url/tile/3/2/5.json"

if command -v nginx >/dev/null; then
    cat >"$scratch/nginx.conf" <<CONF
daemon off; worker_processes 1; $([ "$(id -u)" = 0 ] && echo "user root;") pid $scratch/nginx.pid; error_log $scratch/nginx.err;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; types { image/png png; }
  client_body_temp_path $scratch/b; proxy_temp_path $scratch/p; fastcgi_temp_path $scratch/f;
  uwsgi_temp_path $scratch/u; scgi_temp_path $scratch/s;
  server { listen unix:$scratch/probe; listen 127.0.0.1:PORT; root $scratch; location /cached/ { alias $scratch/; open_file_cache max=10; } }
}
CONF
    for port in 18091 18137 18211 18317; do
        sed -i "s/127.0.0.1:[A-Z0-9]*/127.0.0.1:$port/" "$scratch/nginx.conf"
        (pin 0 nginx -e "$scratch/nginx.err" -c "$scratch/nginx.conf") 2>/dev/null &
        nginx=$!
        sleep 0.4
        kill -0 "$nginx" 2>/dev/null && break
        nginx=''
        rm -f "$scratch/probe"
    done
fi
if [ -n "$nginx" ]; then
    worker=$(pgrep -P "$nginx")
    measure 'nginx, same file' "$worker" "http://127.0.0.1:$port/tile.png"
    measure 'nginx, open_file_cache' "$worker" "http://127.0.0.1:$port/cached/tile.png"
    measure 'hot tile, again' "$server" "$tile"
fi

kill "$server"
wait "$server"

start_server pin 0
# A 304 of a tile that is not cached has Content-Length 0; wrk waits for the body of any other.
measure '304' "$server" "$url/tile/3/2/5.png" -H "If-None-Match: $etag"
kill "$server"
wait "$server"

# Both CPUs for the server: a cold tile is work for the pool.
start_server
CONNECTIONS=8 measure 'cold tile (perlin, fBm 5, PNG)' "$server" "$url" -s "$here/cold.lua"

awk '
    { for (i = 1; i <= NF; i++) { if ($(i + 1) == "/s") rate = $i; if ($(i + 1) == "us" && $(i + 2) == "CPU") cpu = $i } }
    /^  hot tile/ && rate > hot { hot = rate; hot_cpu = cpu }
    /nginx, same/ { plain = rate; plain_cpu = cpu } /nginx, open/ { cached = rate } /^  304/ { same = rate }
    END { if (plain) printf "\nhot tile / nginx: rate %.2f (open_file_cache %.2f), CPU per request %.2f; 304 / hot: %.2f\n",
          hot / plain, hot / cached, hot_cpu / plain_cpu, same / hot }
' "$scratch/table"
