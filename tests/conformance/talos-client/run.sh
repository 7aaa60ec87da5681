#!/bin/sh
# Talos's own Go client against a simulated node: what it can do against a real one it can do here, and nothing more.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

lab="$root/node_modules/.cache/ichor-conformance/talos-client-lab.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/lab.ts" --outfile="$lab"
(cd "$here" && nice go build -o "$work/talos-client" .)
"$work/talos-client" node "$lab"
