#!/usr/bin/env bash
# What the kernel starts from: loads the modules that Talos's kernel has built in, then hands over to Talos's own init.
set -euo pipefail
unpacked=$1
work=$2 # with programs/, modules/ and rootfs.sqsh; initramfs.cpio is written here

root="$work/initramfs"
rm -rf "$root"
mkdir -p "$root"/{bin,root}
cp "$unpacked/usr/bin/busybox" "$root/bin/busybox"
cp "$work/programs/init" "$root/talos-init"
kernel=$(basename "$work"/modules/*/)
cp -a "$work/modules/$kernel" "$root/modules"
cp "$work/modules/order" "$root/modules/order"
cp "$work/rootfs.sqsh" "$root/rootfs.sqsh"
cat > "$root/init" << 'INIT'
#!/bin/busybox sh
while read -r module; do
  /bin/busybox insmod "/modules/$module" || /bin/busybox echo "no module $module"
done < /modules/order
/bin/busybox rm -rf /modules
exec /talos-init
INIT
chmod 755 "$root/init" "$root/talos-init" "$root/bin/busybox"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0 > "$work/initramfs.cpio")
rm -rf "$root"
