#!/bin/sh
# Runs as the first process of new mount, process, IPC and UTS namespaces: builds the root file system, then sleeps.
#
#   start.sh ROOTFS PYTHON     ROOTFS is only read; what is written lives in memory and goes with the last process.
set -eu
rootfs=$1 python=$2

mount --make-rprivate /
mount -t tmpfs -o mode=755 none /mnt
mkdir /mnt/new /mnt/upper /mnt/work
mount -t overlay -o "lowerdir=$rootfs,upperdir=/mnt/upper,workdir=/mnt/work" none /mnt/new
cd /mnt/new

mkdir -p proc dev run .before
mount -t proc none proc
mount -t tmpfs -o mode=755 none dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/shm dev/pts
mount -t tmpfs -o mode=1777 none dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 none dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%%:*}" "dev/${stream#*:}"; done
rm -f etc/resolv.conf etc/hosts
cp /etc/resolv.conf /etc/hosts etc/

# The closed network is a second one beside the machine's own, with nothing but loopback; see enter.py.
touch run/closed-network
unshare --net=/mnt/new/run/closed-network "$python" -I -S -c \
  'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))'

pivot_root . .before
umount --lazy /.before
rmdir /.before
echo ready
exec sleep infinity
