#!/bin/sh
# Every path of a control-plane and a worker config is made wrong in a few ways, and the verdicts of Talos's library and of the
# lab are compared: at most one in a hundred may differ.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$tools"

(cd "$here" && nice go build -o "$tools/talos-paths" .)

out="$tools/talos-paths.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$tools/talos-paths"
