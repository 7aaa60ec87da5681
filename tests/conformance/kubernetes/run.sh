#!/bin/sh
# A real kube-apiserver with etcd, and the real helm, judge our client, our certificates and our simulator.
# Built from Go modules (about five minutes on two cores the first time). Everything stays on loopback.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$tools"

(cd "$here" && nice go build -o "$tools/etcd" go.etcd.io/etcd/server/v3)
(cd "$here" && nice go build -o "$tools/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver)
(cd "$here/helm" && nice go build -o "$tools/helm" helm.sh/helm/v3/cmd/helm)

out="$tools/kubernetes.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$tools"
