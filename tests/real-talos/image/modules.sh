#!/usr/bin/env bash
# The kernel modules that Talos's kernel has built in, unpacked, with those that they need: a tree for the root filesystem, and a
# file `order` in which they are loaded.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
unpacked=$1
work=$2

[ -e "$unpacked/lib" ] || ln -s usr/lib "$unpacked/lib"
kernel=$(ls "$unpacked/usr/lib/modules")
depmod -b "$unpacked" "$kernel"

tree="$work/modules/$kernel"
rm -rf "$work/modules"
mkdir -p "$tree"
: > "$work/modules/order"
sed '/^#/d' "$here/kernel-modules.txt" | while read -r name; do
  modprobe -d "$unpacked" -S "$kernel" --show-depends "$name" || { echo "real-talos: the kernel has no module $name." >&2; exit 1; }
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
  inside=${file#*"/modules/$kernel/"}
  target="$tree/${inside%.xz}"
  mkdir -p "$(dirname "$target")"
  if [ "$file" = "${file%.xz}" ]; then cp "$file" "$target"; else xz -dc "$file" > "$target"; fi
  echo "${inside%.xz}" >> "$work/modules/order"
done
cp "$unpacked/usr/lib/modules/$kernel"/modules.{builtin,builtin.modinfo,order} "$tree/"
