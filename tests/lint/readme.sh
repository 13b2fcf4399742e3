#!/bin/sh
# The README's tables are printed by the program; this compares them. --write puts them there.
# Usage: readme.sh PROGRAM [--write]
set -eu
program=$1
readme="$(dirname "$0")/../../README.md"
new=$(mktemp)
trap 'rm -f "$new" "$new.part"' EXIT
cp "$readme" "$new"

# replace NAME COMMAND...: the text between the markers NAME becomes the command's output.
replace() {
    name=$1
    shift
    "$@" >"$new.part"
    awk -v begin="<!-- $name: made by the program -->" -v end="<!-- end of $name -->" -v part="$new.part" '
        $0 == begin { print; while ((getline line < part) > 0) print line; skip = 1; seen = 1 }
        $0 == end { skip = 0 }
        !skip { print }
        END { if (!seen) exit 3 }' "$new" >"$new.next" || { echo "README.md has no $name marker" >&2; exit 1; }
    mv "$new.next" "$new"
}

replace parameters "$program" params --markdown
replace options "$program" config --markdown

if [ "${2:-}" = --write ]; then
    cp "$new" "$readme"
elif ! diff -u "$readme" "$new"; then
    echo "README.md is out of date: run tests/lint/readme.sh PROGRAM --write" >&2
    exit 1
fi
