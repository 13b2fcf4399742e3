#!/bin/sh
# http.sh - what is served from the cache, against nginx with the same bytes in files. Both on one CPU,
# wrk on the other; all in turn, several rounds, the best of each counts.
# Usage: http.sh BUILD-DIRECTORY
set -eu
build=$1
# shellcheck source=servers.sh
. "$(dirname "$0")/servers.sh"
rounds=5
connections=32

# nginx as a static file server, on a port that turns out to be free: sets nginx and nginx_url, or leaves
# nginx empty.
start_nginx() {
    files=$scratch/files
    nginx=''
    command -v nginx >/dev/null || return 0
    chmod 755 "$scratch"
    for port in 18091 18137 18211 18317; do
        cat >"$scratch/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $scratch/nginx.pid; error_log $scratch/nginx.err;
$([ "$(id -u)" != 0 ] || echo 'user root;')
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; types { image/png png; application/json json; }
  client_body_temp_path $scratch/b; proxy_temp_path $scratch/p; fastcgi_temp_path $scratch/f;
  uwsgi_temp_path $scratch/u; scgi_temp_path $scratch/s;
  server { listen 127.0.0.1:$port; root $files; location /cached/ { alias $files/; open_file_cache max=10; } }
}
CONF
        $on_first nginx -e "$scratch/nginx.err" -c "$scratch/nginx.conf" 2>/dev/null &
        master=$!
        started="$started $master"
        for _ in $(seq 20); do
            sleep 0.05
            curl -s "http://127.0.0.1:$port/tile.png" | cmp -s - "$files/tile.png" || continue
            nginx=$(pgrep -P "$master")
            nginx_url=http://127.0.0.1:$port
            return 0
        done
        kill "$master" 2>/dev/null || true
    done
}

# rows NAME LOAD BASELINE BASELINE-LOAD [TARGET]: rate, latencies and CPU of a load beside another's, if
# there was one.
rows() {
    baseline='' base_rate='' base_p50='' base_p99='' base_cpu=''
    if [ -f "$scratch/$4.load" ]; then
        best "$4"
        baseline=$3 base_rate=$rate base_p50=$p50 base_p99=$p99 base_cpu=$cpu
    fi
    best "$2"
    figure key "$1" '/s' "$rate" "$baseline" "$base_rate" share "${5:-}"
    figure row "$1, p50" us "$p50" "$baseline" "$base_p50" share
    figure row "$1, p99" us "$p99" "$baseline" "$base_p99" share
    figure row "$1, CPU a request" us "$cpu" "$baseline" "$base_cpu" share
}

# The server's own count of what it has rendered.
renders() { curl -s "$1/health/ready" | sed -n 's/.*"renders":\([0-9]*\).*/\1/p'; }

entity_tag() { curl -sI "$1" | tr -d '\r' | sed -n 's/^ETag: //p'; }

start_server "$on_first"
ours=$pid ours_url=$url
# A 304 of a tile that is not cached has no length; wrk would wait for the body of any other. So 304s have
# a server of their own.
start_server "$on_first"
fresh=$pid fresh_url=$url

mkdir "$scratch/files"
for ext in png json bin; do
    curl -s -o "$scratch/files/tile.$ext" "$ours_url$tile.$ext"
done
tag=$(entity_tag "$ours_url$tile.png")
start_nginx
renders_before=$(renders "$fresh_url")

for _ in $(seq "$rounds"); do
    load png "$ours" "$on_second" "$connections" "$seconds" "$ours_url$tile.png"
    if [ -n "$nginx" ]; then
        load nginx_png "$nginx" "$on_second" "$connections" "$seconds" "$nginx_url/tile.png"
        load nginx_png_cached "$nginx" "$on_second" "$connections" "$seconds" "$nginx_url/cached/tile.png"
    fi
    load same "$fresh" "$on_second" "$connections" "$seconds" "$fresh_url$tile.png" -H "If-None-Match: $tag"
    [ -z "$nginx" ] ||
        load nginx_same "$nginx" "$on_second" "$connections" "$seconds" "$nginx_url/tile.png" \
            -H "If-None-Match: $(entity_tag "$nginx_url/tile.png")"
    for ext in json bin; do
        load "$ext" "$ours" "$on_second" "$connections" "$seconds" "$ours_url$tile.$ext"
        [ -z "$nginx" ] ||
            load "nginx_$ext" "$nginx" "$on_second" "$connections" "$seconds" "$nginx_url/tile.$ext"
    done
done

section "HTTP from the cache: perlin fBm 5, 256 x 256, keep-alive, $connections connections, server on one CPU, best of $rounds rounds"
rows 'hot PNG' png 'nginx, static file' nginx_png 'ratio >= 1'
rows 'hot PNG' png 'nginx, open_file_cache' nginx_png_cached
rows '304, tile not in the cache' same 'hot PNG' png 'ratio >= 1'
rows '304, tile not in the cache' same 'nginx 304' nginx_same
figure key 'renders for all these 304s' '' "$(($(renders "$fresh_url") - renders_before))" '' '' '' 'value <= 0'
rows 'hot JSON' json 'nginx, static file' nginx_json
rows 'hot bin' bin 'nginx, static file' nginx_bin

section 'hot PNG by open connections: requests a second, against 32; p99'
for n in 1 8 32 128 512; do
    load "by_$n" "$ours" "$on_second" "$n" "$seconds" "$ours_url$tile.png"
done
best by_32
usual=$rate
for n in 1 8 32 128 512; do
    best "by_$n"
    figure point "$n open" '/s' "$rate" '32 connections' "$usual" share
done
for n in 1 8 32 128 512; do
    best "by_$n"
    figure point "$n open, p99" us "$p99"
done
