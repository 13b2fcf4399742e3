#!/bin/bash
# run.sh - builds docker/Dockerfile and runs the image for real, on a Debian 12 machine that has no
# Docker engine: buildah builds, podman runs, and the base image is bootstrapped from Debian's
# packages, because there may be no registry. Storage, configuration and state are in a temporary
# folder of its own, so that a podman of the machine's is neither used nor changed; what remains is
# the libraries' list of blobs seen, /var/lib/containers/cache, whose place cannot be chosen.
#
#   tests/docker/run.sh        (`make docker-test` installs what it needs first)
#
# One line per check, exit status 0 if all pass. KEEP=1 leaves the folder, for a look inside.
set -u -o pipefail

readonly SUITE=bookworm
readonly IMAGE=localhost/noisetile:test
readonly TILE='/tile/3/4/2.png?seed=7&octaves=6'
readonly STOP_LIMIT=10 # seconds; what `docker stop` waits before it kills

# What an administrator may take away: files, capabilities, the way back to them.
readonly LOCKED=(--read-only --read-only-tmpfs=false --cap-drop=all
                 --security-opt no-new-privileges)

cd "$(dirname "$0")/../.." || exit 1
if [ "$(id -u)" != 0 ]; then
  exec sudo KEEP="${KEEP:-}" tests/docker/run.sh # mounts and namespaces need root
fi
for program in buildah mmdebstrap podman runc catatonit curl; do
  if ! command -v "$program" >/dev/null; then
    echo "docker-test needs $program: apt-get install buildah mmdebstrap podman runc catatonit curl" >&2
    exit 1
  fi
done

work=$(mktemp -d "${TMPDIR:-/tmp}/noisetile-docker.XXXXXX") || exit 1
checks=0
failed=0
clients=() # process ids of curls in the background
running=   # process id of a long step

# ---- Reporting -----------------------------------------------------------------------------------

# check WHAT COMMAND...: passes if the command does.
check() {
  local what=$1
  shift
  checks=$((checks + 1))
  if "$@"; then
    echo "PASS  $what"
  else
    failed=$((failed + 1))
    echo "FAIL  $what"
  fi
}

# Where nothing that follows makes sense. give_up WHAT [LOG]
give_up() {
  echo "FAIL  $1"
  [ $# -lt 2 ] || tail -n 40 "$2" | sed 's/^/      /'
  exit 1
}

# Shown under a FAIL: what was expected and what was there.
equal() {
  [ "$1" = "$2" ] || { echo "      expected '$2', got '$1'"; return 1; }
}

matches() {
  [[ "$1" =~ $2 ]] || { echo "      expected '$2' in: $1"; return 1; }
}

# ---- Cleaning up ---------------------------------------------------------------------------------

# Nothing here takes a minute. Podman passes TERM on to its container, which may ignore it; hence -k.
podman() {
  timeout -k 5 60 podman "$@"
}

# bounded SECONDS COMMAND...: for the long steps. In the background, because bash handles a signal
# only when its foreground command has ended.
bounded() {
  local status
  timeout -k 5 "$@" &
  running=$!
  wait "$running"
  status=$?
  running=
  return "$status"
}

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  local status=$? folder pid
  trap - EXIT
  trap '' INT TERM
  for pid in $running "${clients[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  # All there are, for all in this store are ours.
  podman rm -a -f -t 1 >/dev/null 2>&1
  if [ -n "${KEEP:-}" ]; then
    echo "kept $work"
    exit "$status"
  fi
  # The overlay driver mounts its folder over itself; removing it needs that undone, and whatever a
  # failure left mounted below. Deepest first. Again if a container's own clean-up, which nobody waits
  # for, mounted it anew.
  for _ in 1 2 3; do
    awk -v root="$work/" 'index($5, root) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
      while read -r folder; do umount "$folder" || umount -l "$folder"; done
    rm -rf --one-file-system "$work" 2>/dev/null && break
    sleep 2
  done
  [ ! -e "$work" ] || echo "could not remove $work"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- Our own container engine --------------------------------------------------------------------

# Host networking and cgroupfs need neither bridges nor systemd. Limits are set because podman
# otherwise asks for more than a machine may allow. Locks in files: the default is a shared memory
# segment with one name for the whole machine. No static_dir: the clean-up that podman starts when a
# container ends gets graphroot and not that, finds no container, and each run waits 20 s for it.
configure_engine() {
  cat >"$work/containers.conf" <<END
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
netns = "host"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "$work/state"
volume_path = "$work/volumes"
END
  cat >"$work/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$work/store"
runroot = "$work/run"
END
  # Nothing is pulled: the short name of the base image stands for the one imported below.
  cat >"$work/registries.conf" <<END
unqualified-search-registries = ["docker.io"]
END
  export CONTAINERS_CONF="$work/containers.conf"
  export CONTAINERS_STORAGE_CONF="$work/storage.conf"
  export CONTAINERS_REGISTRIES_CONF="$work/registries.conf"
  export BUILDAH_ISOLATION=chroot # works where this script itself runs in a container
  export TMPDIR="$work/tmp"
  mkdir "$TMPDIR"
}

# Prints this machine's list of Debian's own packages, if it has one for the suite; mmdebstrap then
# uses the mirror that is known to be reachable. Other lists are not asked for.
debian_sources() {
  if grep -qsw "$SUITE" /etc/apt/sources.list.d/debian.sources; then
    echo /etc/apt/sources.list.d/debian.sources
  elif grep -qsE "^deb .*/debian(-security)?/? $SUITE" /etc/apt/sources.list; then
    grep -E "^deb .*/debian(-security)?/? $SUITE" /etc/apt/sources.list >"$work/debian.list"
    echo "$work/debian.list"
  fi
}

# Stands in for the registry's debian:bookworm-slim: the same packages, no manuals, and like there
# apt leaves no caches behind. This machine's proxy and time checks go into it as well, for apt-get
# inside the build.
make_base() {
  local sources=()
  mapfile -t sources < <(debian_sources)
  cat >"$work/apt.conf" <<'END'
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };
END
  apt-config dump --format '%f "%v";%n' |
    grep -E '^Acquire::(http|https)::Proxy|^Acquire::Check-|^Acquire::Retries' >>"$work/apt.conf"
  bounded 300 mmdebstrap --quiet --variant=minbase --aptopt="$work/apt.conf" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$SUITE" "$work/base.tar" "${sources[@]}" >"$work/base.log" 2>&1 &&
    podman import -q "$work/base.tar" "docker.io/library/debian:$SUITE-slim" \
      >>"$work/base.log" 2>&1 &&
    rm "$work/base.tar"
}

# --format docker: the OCI format has no place for HEALTHCHECK.
build_image() {
  bounded 400 buildah bud --pull=never --layers --format docker -t "$IMAGE" \
    -f docker/Dockerfile . >"$work/build.log" 2>&1
}

mebibytes() {
  local bytes
  bytes=$(podman image inspect -f '{{.Size}}' "$1") && echo "$((bytes / 1048576))"
}

# ---- Containers ----------------------------------------------------------------------------------

# Prints a port of the loopback that nobody listens on.
free_port() {
  local port
  for _ in {1..50}; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
  return 1
}

# start NAME [podman's options...]: serves on a new port; sets url and port; false if it never does.
# Without systemd podman complains, to the log, that it cannot call the health check regularly.
start() {
  local name=$1
  shift
  port=$(free_port) && url=http://127.0.0.1:$port || return 1
  podman run -d --name "$name" --pull=never -e NOISETILE_LISTEN="127.0.0.1:$port" "$@" \
    "$IMAGE" >>"$work/podman.log" 2>&1 || { cat "$work/podman.log"; return 1; }
  for _ in {1..100}; do
    curl -sf -m 2 -o "$work/ready" "$url/health/ready" && return
    sleep 0.1
  done
  podman logs "$name"
  return 1
}

# once [podman's options...] -- [noisetile's arguments...]: a container that ends by itself.
once() {
  local options=()
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  podman run --rm --pull=never --no-healthcheck "${options[@]}" "$IMAGE" "$@"
}

# of NAME KEY: what the kernel says of a container's first process (proc(5), "status").
of() {
  local pid
  pid=$(podman inspect -f '{{.State.Pid}}' "$1") &&
    awk -v key="$2:" '$1 == key { $1 = ""; print substr($0, 2) }' "/proc/$pid/status"
}

root_is_read_only() {
  local pid
  pid=$(podman inspect -f '{{.State.Pid}}' "$1") &&
    awk '$5 == "/" { found = $6 ~ /^ro(,|$)/ } END { exit !found }' "/proc/$pid/mountinfo"
}

# stops_cleanly NAME: exit status 0 of the server. Had podman's patience ended, it would be 137.
stops_cleanly() {
  local begin=$SECONDS status
  podman stop -t "$STOP_LIMIT" "$1" >/dev/null 2>"$work/stop.log"
  status=$(podman inspect -f '{{.State.ExitCode}}' "$1")
  equal "$status" 0 && return
  echo "      stopped after $((SECONDS - begin)) s"
  podman logs --tail 5 "$1" 2>&1 | sed 's/^/      /'
  return 1
}

# ---- Checks --------------------------------------------------------------------------------------

# As the image comes, on a port that is not the image's.
check_serving() {
  start plain || give_up "the image serves"
  check "runs as user 65532, not root" equal "$(of plain Uid)" $'65532 65532 65532 65532'
  check "process 1 of the container is noisetile" \
    equal "$(of plain Name) $(of plain NSpid | awk '{ print $NF }')" "noisetile 1"

  curl -sf -m 10 -o "$work/served.png" "$url$TILE"
  once -- render 3/4/2.png 'seed=7&octaves=6' -o - >"$work/rendered.png"
  check "a tile is a PNG" equal "$(head -c 4 "$work/served.png" | tail -c 3)" PNG
  check "the server's tile is what the image's render writes, byte for byte" \
    cmp "$work/served.png" "$work/rendered.png"
  check "the viewer page is in the image" \
    equal "$(curl -s -m 10 -o "$work/page" -w '%{http_code} %{content_type}' "$url/" | cut -c1-13)" \
    "200 text/html"

  check "healthy on another port ($port)" \
    equal "$(podman healthcheck run plain >"$work/health" 2>&1; echo $?)" 0
  check "unhealthy where nobody listens" \
    equal "$(once -e NOISETILE_LISTEN="127.0.0.1:$(free_port)" -- healthcheck 2>"$work/health"
             echo $?)" 1
  check "stops with status 0 within $STOP_LIMIT s" stops_cleanly plain
}

check_locked_down() {
  start locked --user 12345:0 "${LOCKED[@]}" || give_up "serves as any user, locked down"
  check "runs as user 12345, group 0" \
    equal "$(of locked Uid) $(of locked Gid)" "12345 12345 12345 12345 0 0 0 0"
  check "has no capability, and cannot get one" \
    equal "$(of locked CapEff) $(of locked CapBnd) $(of locked NoNewPrivs)" \
    "0000000000000000 0000000000000000 1"
  check "its file system is read-only" root_is_read_only locked
  curl -sf -m 10 -o "$work/locked.png" "$url$TILE"
  check "serves the same tile" cmp "$work/served.png" "$work/locked.png"
  check "healthy as well" \
    equal "$(podman healthcheck run locked >"$work/health" 2>&1; echo $?)" 0
  check "stops with status 0 within $STOP_LIMIT s" stops_cleanly locked
}

# Three of the slowest tiles on one worker: when the first is there, the others are in flight.
check_stop_in_flight() {
  local i pid codes=()
  start busy "${LOCKED[@]}" -e NOISETILE_WORKERS=1 -e NOISETILE_QUEUE_WAIT=20000 ||
    give_up "serves with one worker"
  for i in 1 2 3; do
    curl -s -m 30 -o "$work/slow.$i" -w '%{http_code} %{exitcode}' \
      "$url/tile/3/4/2@2x.json?size=1024&octaves=32&lod=off&seed=$i" >"$work/code.$i" &
    clients+=($!)
  done
  wait -n "${clients[@]}"
  check "stops with status 0 within $STOP_LIMIT s, tiles in flight" stops_cleanly busy
  for pid in "${clients[@]}"; do
    wait "$pid"
  done
  clients=()
  check "tiles were in flight" matches "$(podman logs busy 2>&1)" \
    "signal 15, [1-9] requests in flight"
  for i in 1 2 3; do
    codes+=("$(cat "$work/code.$i")")
  done
  # curl's own status is 18 if an answer is shorter than its Content-Length.
  check "and were answered in whole" equal "${codes[*]}" "200 0 200 0 200 0"
}

# A client that would take hours over its answer.
check_stop_slow_reader() {
  start stuck || give_up "serves"
  curl -s -m 60 --limit-rate 1k -o "$work/stuck" "$url/tile/3/4/2@2x.json?size=1024" &
  clients=($!)
  for _ in {1..100}; do
    [ -s "$work/stuck" ] && break
    sleep 0.1
  done
  check "stops with status 0 within $STOP_LIMIT s, though a client reads slowly" stops_cleanly stuck
  kill "${clients[0]}" 2>/dev/null
  wait "${clients[0]}" 2>/dev/null
  clients=()
}

check_bad_configuration() {
  local said status
  said=$(once -e NOISETILE_WORKERS=many -- serve 2>&1)
  status=$?
  check "bad configuration: status 2" equal "$status" 2
  check "and a message that names the variable" matches "$said" NOISETILE_WORKERS
}

# ---- All together --------------------------------------------------------------------------------

configure_engine
echo "      making the base image from Debian's packages"
make_base || give_up "the base image" "$work/base.log"
base_took=$SECONDS
build_image || give_up "the image is built from docker/Dockerfile" "$work/build.log"
check "the image is built from docker/Dockerfile" podman image exists "$IMAGE"
echo "      image $(mebibytes "$IMAGE") MiB, of which $(mebibytes "debian:$SUITE-slim") MiB are the" \
  "bootstrapped base; base $base_took s, build $((SECONDS - base_took)) s"

check_serving
check_locked_down
check_stop_in_flight
check_stop_slow_reader
check_bad_configuration

echo "$checks checks, $failed failed, $SECONDS s"
[ "$failed" = 0 ]
