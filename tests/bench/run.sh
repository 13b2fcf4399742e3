#!/bin/sh
# make bench: runs the parts, each of which prints rows (rows.h), and makes them into a table.
#
#   BENCH_ONLY='fill http'   only these parts; the others keep their figures of an earlier run
#   BENCH_SECONDS=2          length of one measurement of the server
#   BENCH_JSON=file          the same figures as a JSON array
#   BENCH_README=1           ... and into README.md (make bench-readme does that for the last run)
#
# Usage: run.sh BUILD-DIRECTORY
set -eu
export LC_ALL=C
build=$1
here=$(dirname "$0")
parts='fill png formats curves http cold overload'
chosen=${BENCH_ONLY:-$parts}
rows=$build/bench
mkdir -p "$rows"
[ -n "${BENCH_ONLY:-}" ] || rm -f "$rows"/*.tsv

# What the figures depend on.
head_rows() {
    flags=$(sed 's/ -[WIDUMp][^ ]*//g; s/ -g / /; s/ *$//; s/  */ /g' "$build/flags")
    printf 'head\tCPU\t%s, %s cores\n' "$(lscpu | sed -n 's/^Model name: *//p')" "$(nproc)"
    printf 'head\tCompiler\t%s\n' "$(${flags%% *} --version | head -n 1)"
    printf 'head\tFlags\t%s\n' "${flags#* }"
    printf 'head\tProgram\t%s\n' "$("$build/noisetile" version)"
    printf 'head\tLibraries\tlibmicrohttpd %s, libpng %s, libdeflate %s; nginx %s\n' \
        "$(pkg-config --modversion libmicrohttpd)" "$(pkg-config --modversion libpng)" \
        "$(pkg-config --modversion libdeflate)" "$(nginx -v 2>&1 | sed 's|.*/||')"
    printf 'head\tDate\t%s\n' "$(date -u +%F)"
}

run_part() {
    case $1 in
    fill | png | formats | curves) "$build/tests/bench/bench" "$1" ;;
    http | cold | overload) "$here/$1.sh" "$build" ;;
    *)
        echo "bench: there is no part $1; parts are: $parts" >&2
        exit 2
        ;;
    esac
}

head_rows >"$rows/head.tsv"
awk -v form=table -f "$here/report.awk" "$rows/head.tsv"
for part in $chosen; do
    run_part "$part" >"$rows/$part.new"
    mv "$rows/$part.new" "$rows/$part.tsv"
    awk -v form=table -f "$here/report.awk" "$rows/$part.tsv"
done

# The chosen parts are judged; data and README have all figures there are, in order.
for part in $chosen; do cat "$rows/$part.tsv"; done | awk -v form=verdict -f "$here/report.awk"
for part in head $parts; do
    [ ! -f "$rows/$part.tsv" ] || cat "$rows/$part.tsv"
done >"$rows/all"
[ -z "${BENCH_JSON:-}" ] || awk -v form=json -f "$here/report.awk" "$rows/all" >"$BENCH_JSON"
[ -z "${BENCH_README:-}" ] || "$here/readme.sh" "$build"
