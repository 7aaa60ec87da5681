#!/usr/bin/env bash
# A whole Talos node, built from its Go module and Debian packages, boots in QEMU from ichor's own seed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

command -v go > /dev/null || { echo "real-talos: Go is missing; Talos is built with it (go.dev/dl)." >&2; exit 1; }
export PATH="$PATH:/usr/sbin:/sbin"
missing=()
for pair in qemu-system-x86_64:qemu-system-x86 mksquashfs:squashfs-tools cpio:cpio depmod:kmod sfdisk:fdisk xz:xz-utils; do
  command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}")
done
if ((${#missing[@]} > 0)); then
  echo "real-talos: installing ${missing[*]}"
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
fi

# What was built stays, by what it was built from.
cache=${ICHOR_REAL_TALOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ichor/real-talos}
key=$(cat "$here"/{,containerd/}go.{mod,sum} "$here"/image/* | sha256sum | cut -c1-16)
node="$cache/$key"
mkdir -p "$cache"
[ -e "$node/initramfs.cpio" ] || bash "$here/image/build.sh" "$node"

out="$root/node_modules/.cache/ichor-real-talos.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && exec node "$out" "$node" "$@"
