#!/bin/sh
# The README's performance section, made from the figures of the last make bench.
# Usage: readme.sh BUILD-DIRECTORY
set -eu
here=$(dirname "$0")
readme=$here/../../README.md
new=$(mktemp)
trap 'rm -f "$new" "$new.part"' EXIT

awk -v form=markdown -f "$here/report.awk" "$1/bench/all" >"$new.part"
awk -v part="$new.part" '
    $0 == "<!-- performance: made by make bench -->" { print; while ((getline line < part) > 0) print line; skip = 1; seen = 1 }
    $0 == "<!-- end of performance -->" { skip = 0 }
    !skip { print }
    END { if (!seen) exit 3 }' "$readme" >"$new" || { echo 'README.md has no performance marker' >&2; exit 1; }
cp "$new" "$readme"
