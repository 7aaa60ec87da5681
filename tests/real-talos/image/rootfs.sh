#!/usr/bin/env bash
# Talos's root filesystem, laid out as its Dockerfile does, from Debian's programs and Talos's own files: rootfs.sqsh.
set -euo pipefail
unpacked=$1  # Debian's packages
work=$2      # with programs/ and modules/; rootfs.sqsh is written here
talos=$3     # the folder of Talos's Go module
machinery=$4 # and of its machinery module

root="$work/rootfs"
rm -rf "$root"
mkdir -p "$root"/{dev,proc,run,sys,tmp,var,mnt,system,boot/EFI,.extra}
mkdir -p "$root"/opt/{cni/bin,containerd/bin,containerd/lib}
mkdir -p "$root"/usr/{bin,lib/firmware,lib64,etc,libexec/kubernetes,local/share,local/lib/kubelet/credentialproviders}
mkdir -p "$root"/usr/{lib/systemd/network,share/{spdx,zoneinfo/Etc}}
for link in bin:usr/bin sbin:usr/bin lib:usr/lib lib64:usr/lib64 usr/sbin:bin; do ln -s "${link#*:}" "$root/${link%%:*}"; done

# Programs, and the libraries that they need. Links between bin and sbin, which are one folder here, would lead to themselves.
find "$unpacked"/usr/bin "$unpacked"/usr/sbin -type l | while read -r link; do
  [ "$(basename "$(readlink "$link")")" != "$(basename "$link")" ] || rm "$link"
done
cp -a "$unpacked"/usr/bin/. "$unpacked"/usr/sbin/. "$root/usr/bin/"
cp -a "$unpacked"/usr/lib/{x86_64-linux-gnu,udev} "$root/usr/lib/"
rm -r "$root/usr/lib/x86_64-linux-gnu/gconv" "$root/usr/lib/udev/hwdb.d"
cp -aL "$unpacked"/usr/lib64/. "$root/usr/lib64/"
cp "$work"/programs/containerd* "$root/usr/bin/"
cp "$work/programs/machined" "$root/usr/bin/init"
cp -a "$unpacked/usr/share/xfsprogs" "$root/usr/share/"
# Talos asks for what Linux 6.18 had by default; Debian's xfsprogs knows the one before. Nothing here depends on the difference.
ln -sf lts_6.12.conf "$root/usr/share/xfsprogs/mkfs/lts_6.18.conf"
ln -sf udevadm "$root/usr/bin/systemd-udevd"
ln -sf kmod "$root/usr/bin/modprobe"
for name in poweroff shutdown reboot dashboard; do ln -sf init "$root/usr/bin/$name"; done

kernel=$(basename "$work"/modules/*/)
mkdir -p "$root/usr/lib/modules"
cp -a "$work/modules/$kernel" "$root/usr/lib/modules/"
depmod -b "$root" "$kernel"

# Files of Talos, and empty ones over which it mounts what it writes.
mkdir -p "$root"/etc/{iscsi,nvme,lvm,containerd,cri/conf.d/hosts,kubernetes/manifests,cni/net.d,ssl/certs,selinux/targeted/contexts/files}
cp "$talos/hack/zoneinfo/Etc/UTC" "$root/usr/share/zoneinfo/Etc/UTC"
cp "$talos/hack/nfsmount.conf" "$root/etc/nfsmount.conf"
cp "$talos/hack/containerd.toml" "$root/etc/containerd/config.toml"
cp "$talos/hack/cri-containerd.toml" "$root/etc/cri/containerd.toml"
cp "$talos/hack/cri-plugin.part" "$root/etc/cri/conf.d/00-base.part"
cp "$talos/hack/udevd/99-default.link" "$root/usr/lib/systemd/network/"
cp "$talos/hack/udevd/40-vm-hotadd.rules" "$root/usr/lib/udev/rules.d/"
cp "$talos/hack/lvm.conf" "$root/etc/lvm/lvm.conf"
cp "$machinery/version/os-release" "$root/etc/os-release"
touch "$root"/etc/{extensions.yaml,resolv.conf,hosts,machine-id,iscsi/initiatorname.iscsi,nvme/hostid,nvme/hostnqn}
touch "$root"/etc/cri/conf.d/{cri.toml,01-registries.part,20-customization.part,base-spec.json}
touch "$root/etc/selinux/targeted/contexts/files/file_contexts"
cat "$unpacked"/usr/share/ca-certificates/mozilla/*.crt > "$root/etc/ssl/certs/ca-certificates.crt"
ln -s ca-certificates.crt "$root/etc/ssl/certs/ca-certificates"
ln -s /usr/share/zoneinfo/Etc/UTC "$root/etc/localtime"
ln -s /etc/ssl "$root/etc/pki"
ln -s /etc/ssl "$root/etc/ca-certificates"
ln -s /etc/ssl "$root/usr/share/ca-certificates"
ln -s /etc/ssl "$root/usr/local/share/ca-certificates"
chmod -R u+w,go-w,a+rX "$root"

mksquashfs "$root" "$work/rootfs.sqsh" -all-root -noappend -comp lz4 -no-progress -quiet
rm -rf "$root"
