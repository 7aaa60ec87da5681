#!/usr/bin/env bash
# Builds the node: kernel, initramfs.cpio, busybox and the folder of etcd's image, in the given folder. Part by part, whole or not at all.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$1

work="$target.partial-$$"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
say() { echo "real-talos: $* ($(date +%T))"; }

say "Talos, containerd and etcd from their Go modules"
bash "$here/programs.sh" "$work"
say "Debian packages"
bash "$here/packages.sh" "$work"
module() { (cd "$here/.." && go list -m -f '{{.Dir}}' "$1"); }
say "root filesystem and initramfs"
nice bash "$here/modules.sh" "$work/unpacked" "$work"
nice bash "$here/rootfs.sh" "$work/unpacked" "$work" "$(module github.com/siderolabs/talos)" "$(module github.com/siderolabs/talos/pkg/machinery)"
bash "$here/initramfs.sh" "$work/unpacked" "$work"

mv "$work"/unpacked/boot/vmlinuz-* "$work/kernel"
mv "$work/unpacked/usr/bin/busybox" "$work/busybox"
rm -rf "$work"/{unpacked,programs,modules,rootfs.sqsh}
rm -rf "$target"
mv "$work" "$target"
say "the node is built"
