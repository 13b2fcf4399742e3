#!/bin/sh
# Who may include whom: the arrows of the design, kept true. Prints each edge that breaks a rule.
set -eu
cd "$(dirname "$0")/../.."
broken=0

# deny WHERE-REGEX INCLUDE-REGEX WHY: no file that matches WHERE may include what matches INCLUDE.
deny() {
    files=$(find core server config -name '*.[ch]' | grep -E "$1" || true)
    [ -n "$files" ] || return 0
    # shellcheck disable=SC2086 # file names here have no spaces
    if grep -nE "^#include [<\"]($2)" $files /dev/null; then
        echo "arrows: $3" >&2
        broken=1
    fi
}

# Every file but those that match MAY.
deny_others() {
    files=$(find core server config -name '*.[ch]' | grep -vE "$1" | tr '\n' '|' | sed 's/|$//; s/\./\\./g')
    deny "^($files)$" "$2" "$3"
}

deny '^core/' 'server/|config/' 'core includes neither server nor config'
deny '^config/' 'server/|core/[^n]|core/n[^o]|core/noise/' 'config includes core through noisetile.h alone'
deny '^server/' 'core/[^n]|core/n[^o]|core/noise/|core/number' 'server includes core through noisetile.h alone'
deny '^core/' 'pthread|sys/socket|netinet/|arpa/|unistd|fcntl|time\.h|sys/time|signal|cjson/' \
    'core has no sockets, threads, files, clock or JSON library'
deny '^server/(log|pool|cache|cpus)\.' 'server/(http|routes|render|params|problem|documents|tiles|serve|web|config)|config/|core/' \
    'log, pool, cache and cpus are leaves'
deny '^server/render\.' 'server/(http|routes|params|problem|documents)' 'render knows no HTTP'
deny '^server/references\.' 'server/[^r]|config/|nettle/|pthread' 'references are for programs without libraries'
deny '^server/verify\.' 'server/(http|render|routes|documents|reply)|config/' 'verify knows no HTTP'
deny_others '^server/(http|reading|response)\.c$' 'microhttpd\.h' 'microhttpd.h is for server/http.c, reading.c and response.c alone'
deny_others '^core/encode/gzip\.c$' 'libdeflate\.h' 'libdeflate.h is for core/encode/gzip.c alone'
deny_others '^core/encode/frame\.c$' 'png\.h' 'png.h is for core/encode/frame.c alone'
deny_others '^(config/|server/(documents|problem|json)\.)' 'cjson/' 'cJSON is for config and for the documents the server writes'

exit $broken
