#!/bin/sh
# Runs the README's "$ " lines against a server on a free port and compares what they print.
# Usage: examples.sh PROGRAM
set -eu
program=$1
readme="$(dirname "$0")/../../README.md"
scratch=$(mktemp -d)
"$program" serve --listen 127.0.0.1:0 --access-log false >"$scratch/out" 2>/dev/null &
server=$!
trap 'kill $server; wait $server; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
    grep -q listening "$scratch/out" && break
    sleep 0.05
done
address=$(sed -n 's|^listening on http://||p' "$scratch/out")

# What the README shows, and the commands in it.
# shellcheck disable=SC2016 # backquotes are Markdown's
sed -n '/^```sh$/,/^```$/p' "$readme" | grep -v '^```\|^make \|^$' >"$scratch/shown"
{
    echo "cd $scratch"
    sed -n 's/^\$ //p' "$scratch/shown" | sed "s|127.0.0.1:8080|$address|g"
} >"$scratch/commands"
grep -v '^\$ ' "$scratch/shown" >"$scratch/expected"
sh "$scratch/commands" | tr -d '\r' >"$scratch/printed"
diff "$scratch/expected" "$scratch/printed"
