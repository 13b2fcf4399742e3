#!/bin/sh
# The references' bits on other machines: arm64 and s390x (big-endian) through their cross compilers
# and qemu-user, and x86-64 without and with AVX2 through qemu. All must be tests/golden/verify.txt.
# Usage: cross.sh BUILD, where BUILD/noisetile is built for this machine (x86-64).
set -eu
cd "$(dirname "$0")/../.."
build=$1
golden=tests/golden/verify.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compare NAME FILE: the file, which has no line about the level, against the golden list.
compare() {
    if diff "$golden" "$2" >"$work/diff"; then
        printf '  %-7s %s: %s references equal\n' CROSS "$1" "$(grep -c '  /' "$2")"
    else
        printf '  %-7s %s: other bits\n' CROSS "$1" >&2
        head -n 20 "$work/diff" >&2
        failed=1
    fi
}

# digest_list MACHINE LIST NAME: the digests of a list's files, then the list's name and digest.
digest_list() {
    sed -n "s/^$2 //p" "$work/urls" | while read -r i url; do
        printf '%s  %s\n' "$(sha256sum <"$work/$1/$2.$i" | cut -d ' ' -f 1)" "$url"
    done >"$work/lines"
    cat "$work/lines"
    printf '%s %s\n' "$3" "$(sha256sum <"$work/lines" | cut -d ' ' -f 1)"
}

# foreign MACHINE COMPILER: builds the core and tests/variants/references.c for it and runs that.
# (gcc for s390x takes vectors that are set element by element for uninitialized. With -O1, which gives
# the same bits, it compiles cellular.c in seconds, with -O3 in minutes.)
foreign() {
    ${MAKE:-make} --no-print-directory BUILD="$build/cross-$1" CC="$2" OPT=-O1 SANITIZE= \
        EXTRA=-Wno-maybe-uninitialized references
    mkdir "$work/$1"
    "qemu-$1" -L "/usr/$1-linux-gnu" "$build/cross-$1/references" "$work/$1" >"$work/urls"
    sed -n 1p "$golden" >"$work/list" # such a program has no way to tell its engine version
    digest_list "$1" 0 overall >>"$work/list"
    digest_list "$1" 1 png >>"$work/list"
    compare "$1" "$work/list"
}

# native CPU LEVEL: this machine's program on an emulated CPU, at the level that it must choose.
native() {
    qemu-x86_64 -cpu "$1" "$build/noisetile" verify >"$work/told" || true
    if ! grep -qx "level $2" "$work/told"; then
        echo "  CROSS   x86_64 $1: not level $2 but: $(grep '^level' "$work/told")" >&2
        failed=1
    fi
    grep -v '^level ' "$work/told" >"$work/list" || true
    compare "x86_64 $1 ($2)" "$work/list"
}

foreign aarch64 aarch64-linux-gnu-gcc
foreign s390x s390x-linux-gnu-gcc
native Nehalem baseline
native max avx2
exit $failed
