#!/usr/bin/env bash
# Downloads the pinned Debian packages into the given folder and unpacks them there, beside each other. Nothing is installed: apt
# gets a state of its own, and the mirror that this machine uses.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1
pins="$here/debian-packages.txt"

# Of one-line sources and of stanzas: the first plain archive of Debian, not its security archive.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2> /dev/null |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +(https?:[^ ]+\/debian)\/?( .*)?$/\3/p' | head -1 || true)
[ -n "$mirror" ] || { echo "real-talos: apt on this machine knows no Debian mirror; its sources must name one (…/debian)." >&2; exit 1; }
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keys" ] || { echo "real-talos: $keys is missing; install debian-archive-keyring." >&2; exit 1; }

apt="$work/apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$work/debs" "$work/unpacked"
: > "$apt/status"
for suite in $(sed '/^#/d; s/ .*//' "$pins" | sort -u); do
  echo "deb [arch=amd64 signed-by=$keys] $mirror $suite main"
done > "$apt/sources.list"
apt_get() {
  apt-get -qq -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o APT::Architecture=amd64 -o APT::Sandbox::User=root -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=3 "$@"
}
apt_get update

mapfile -t pinned < <(sed '/^#/d' "$pins" | while read -r _ package version; do echo "$package=$version"; done)
if ! (cd "$work/debs" && apt_get download "${pinned[@]}"); then
  echo "real-talos: what apt names above is not on the Debian mirror any more: pin the version that it has now in tests/real-talos/image/debian-packages.txt." >&2
  exit 1
fi
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/unpacked"; done
rm -rf "$apt" "$work/debs"
