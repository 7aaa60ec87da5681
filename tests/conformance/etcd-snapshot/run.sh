#!/bin/sh
# etcd's own code reads the snapshots that the lab streams: status, restore, and an etcd that runs on the result.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$tools"

(cd "$here" && nice go build -o "$tools/etcd-snapshot" .)

out="$tools/etcd-snapshot.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$tools/etcd-snapshot"
