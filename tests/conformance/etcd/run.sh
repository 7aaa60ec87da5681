#!/bin/sh
# A real etcd and its own etcdutl judge our reader of etcd's snapshots, and the snapshots that went through our store.
# Built from Go modules (about half a minute on two cores the first time). Everything stays on loopback.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}/etcd-snapshots
mkdir -p "$tools"

(cd "$here" && nice go build -o "$tools/etcd" go.etcd.io/etcd/server/v3)
(cd "$here" && nice go build -o "$tools/etcdutl" go.etcd.io/etcd/etcdutl/v3)
(cd "$here/../sops" && nice go build -o "$tools/age" filippo.io/age/cmd/age)

out="$tools/judge.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$tools"
