# The first process of a node, in namespaces of its own: it makes the paths that the kubelet, containerd and CNI have built in private, and reaps orphans.
# Environment: DIRECTORY MOUNT_POINTS.
set -eu
# A peer group of its own: what is mounted here reaches the containers that share it, and not the machine.
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/netns /run/lock
for each in $MOUNT_POINTS; do
  mkdir -p "$DIRECTORY/private$each"
  mount --bind "$DIRECTORY/private$each" "$each"
done
touch "$DIRECTORY/mounted"
set +e
# bash reaps whatever ends while it waits.
while :; do
  sleep infinity &
  wait $!
done
