#!/bin/sh
# Holds one slot: makes what a node needs of the machine, starts its first process, and takes everything back when its standard input ends,
# which it does when the process that started it is gone, however it went.
#
# Environment: HOME_DIR DIRECTORY LINK MACHINE_ADDRESS NODE_ADDRESS NODE_RANGE POD_RANGE SERVICE_RANGE CGROUP INIT.
# Writes `busy`, or `node PID` of the first process as this pid namespace sees it.
set -u

MOUNT_POINTS='/var/lib/kubelet /var/lib/cni /var/log/pods /var/log/containers'
# The kubelet sets these for the whole machine.
SYSCTLS='vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes'
RANGES="$NODE_RANGE $POD_RANGE $SERVICE_RANGE"
# Behind every real route: without the node, its addresses must not follow the default route out of the machine.
GUARD_METRIC=4242
STATE="$HOME_DIR/state"
NOTED="$HOME_DIR/../sysctls"

# All of cgroup v1 and the unified one beside them, or the one of v2.
hierarchies() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo /sys/fs/cgroup
  else for each in /sys/fs/cgroup/*/; do echo "${each%/}"; done; fi
}

make_cgroups() {
  for each in $(hierarchies); do mkdir -p "$each/$CGROUP"; done
  # Of cgroup v1: an empty set of CPUs takes no process.
  for file in cpuset.cpus cpuset.mems; do
    [ ! -e "/sys/fs/cgroup/cpuset/$file" ] || cat "/sys/fs/cgroup/cpuset/$file" > "/sys/fs/cgroup/cpuset/$CGROUP/$file"
  done
}

# A process that was killed leaves its cgroup a moment later.
remove_cgroups() {
  for attempt in $(seq 100); do
    left=
    for each in $(hierarchies); do
      [ -d "$each/$CGROUP" ] || continue
      find "$each/$CGROUP" -depth -type d -exec rmdir {} + 2>/dev/null
      [ ! -d "$each/$CGROUP" ] || left=1
    done
    [ -n "$left" ] || return 0
    sleep 0.1
  done
}

# The kernel's settings are of the machine, not of a slot: the first cluster notes them, the last one puts them back. One guardian at a time is in here.
others_run() {
  for each in "$HOME_DIR"/../*/state/active; do
    [ -e "$each" ] && [ ! "$each" -ef "$STATE/active" ] || continue
    # Of a guardian that was killed the mark is left, but not the lock.
    flock -n "${each%/state/active}/lock" true || return 0
  done
  return 1
}
note_sysctls() (
  flock 8
  [ -e "$NOTED" ] || for key in $SYSCTLS; do echo "$key=$(sysctl -n "$key")"; done > "$NOTED"
  touch "$STATE/active"
) 8> "$HOME_DIR/../sysctls.lock"
restore_sysctls() (
  flock 8
  rm -f "$STATE/active"
  [ -e "$NOTED" ] && ! others_run || return 0
  while read -r line; do sysctl -q -w "$line"; done < "$NOTED"
  rm "$NOTED"
) 8> "$HOME_DIR/../sysctls.lock"

# May be called at any time: it takes back what is there. What a guardian that was killed has left is found in the files of its slot.
take_back() {
  ip link del "$LINK" 2>/dev/null
  remove_cgroups
  restore_sysctls
  if [ -e "$STATE/mount-points" ]; then while read -r each; do rmdir "$each" 2>/dev/null; done < "$STATE/mount-points"; fi
  # First the kubeconfigs, then the routes: a client that still has an address is refused, not let out.
  rm -rf "$DIRECTORY" "$STATE"
  for range in $RANGES; do ip route del unreachable "$range" metric $GUARD_METRIC 2>/dev/null; done
}

mkdir -p "$HOME_DIR"
exec 9> "$HOME_DIR/lock"
# The first process of a node holds the lock too: where a guardian was killed, its node is gone once the lock is free.
flock -n 9 || { echo busy; exit 0; }
take_back

mkdir -p "$DIRECTORY" "$STATE"
chmod 700 "$DIRECTORY"
note_sysctls
: > "$STATE/mount-points"
for each in $MOUNT_POINTS; do [ -d "$each" ] || { mkdir -p "$each" && echo "$each" >> "$STATE/mount-points"; }; done
for range in $RANGES; do ip route replace unreachable "$range" metric $GUARD_METRIC; done
make_cgroups

export MOUNT_POINTS DIRECTORY
setpriv --pdeathsig KILL unshare --net --mount --pid --fork --kill-child=KILL --mount-proc bash "$INIT" \
  < /dev/null > "$DIRECTORY/init.log" 2>&1 &
UNSHARE=$!
INIT_PID=
while [ -z "$INIT_PID" ] && kill -0 "$UNSHARE" 2>/dev/null; do
  INIT_PID=$(cat "/proc/$UNSHARE/task/$UNSHARE/children" 2>/dev/null | cut -d ' ' -f 1)
  [ -n "$INIT_PID" ] || sleep 0.01
done
while [ ! -e "$DIRECTORY/mounted" ] && kill -0 "$UNSHARE" 2>/dev/null; do sleep 0.01; done

if [ -e "$DIRECTORY/mounted" ]; then
  in_node() { nsenter --target "$INIT_PID" --net "$@"; }
  ip link add "$LINK" type veth peer name eth0 netns "$INIT_PID" &&
    ip addr add "$MACHINE_ADDRESS/24" dev "$LINK" &&
    ip link set "$LINK" up &&
    in_node ip link set lo up &&
    in_node ip addr add "$NODE_ADDRESS/24" dev eth0 &&
    in_node ip link set eth0 up &&
    in_node ip route add "$SERVICE_RANGE" dev eth0 && # a connect() needs a route before kube-proxy's rules see it
    in_node sysctl -q -w net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1 &&
    ip route add "$POD_RANGE" via "$NODE_ADDRESS" dev "$LINK" &&
    ip route add "$SERVICE_RANGE" via "$NODE_ADDRESS" dev "$LINK" &&
    echo "node $INIT_PID"
else
  cat "$DIRECTORY/init.log" >&2
fi

# Until the end of the pipe.
cat > /dev/null
kill -KILL "$UNSHARE" 2>/dev/null
wait "$UNSHARE" 2>/dev/null
# unshare may be gone before the processes of its namespace are.
[ -z "$INIT_PID" ] || while [ -d "/proc/$INIT_PID" ]; do sleep 0.02; done
take_back
