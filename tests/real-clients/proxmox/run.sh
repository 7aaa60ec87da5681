#!/bin/sh
# proxmoxer and Ansible's community.proxmox modules against the lab, on both major versions of Proxmox VE.
# Needs python3 with venv; what they need comes from PyPI, once, into tests/real-clients/.venv. Everything stays on loopback.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
venv="$here/../.venv"
cache="$root/node_modules/.cache/real-clients-proxmox"
mkdir -p "$cache"

if [ ! -x "$venv/bin/ansible-playbook" ]; then
  python3 -m venv "$venv"
  nice "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi

"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$cache/judge.mjs"
cd "$root" && node "$cache/judge.mjs" "$venv/bin" "$here"
