#!/bin/sh
# OpenTofu with the providers bpg/proxmox and siderolabs/talos against the lab: a recipe of its own, the one of examples/terraform, and the files
# of ichor eject.
# Needs Go; ICHOR_TOFU may name a folder that build.sh filled before. Everything stays on loopback.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cache=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
tools=${ICHOR_TOFU:-$cache/tofu}
mkdir -p "$cache"
[ -n "${ICHOR_TOFU:-}" ] || sh "$here/build.sh" "$tools"

cd "$root" && node scripts/build-if-needed.mjs
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$cache/tofu.mjs"
node "$cache/tofu.mjs" "$tools" "$here" "$root"
