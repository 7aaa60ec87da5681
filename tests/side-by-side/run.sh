#!/bin/sh
# OpenTofu with bpg/proxmox and ichor side by side, on the same kind of lab at the speed of the wall: image, six VMs, addresses, start,
# destroy. Writes the table of docs/measurements.md with --record. Needs Go; ICHOR_TOFU may name a folder that build.sh filled before.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
tools=${ICHOR_TOFU:-$cache/tofu}
mkdir -p "$cache"
[ -n "${ICHOR_TOFU:-}" ] || sh "$root/tests/real-clients/tofu/build.sh" "$tools"

cd "$root" && node scripts/build-if-needed.mjs
bundle="$cache/side-by-side-$$.mjs"
trap 'rm -f "$bundle"' EXIT
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/measure.ts" --outfile="$bundle"
node "$bundle" "$tools" "$@"
