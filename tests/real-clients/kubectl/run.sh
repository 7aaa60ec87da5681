#!/bin/sh
# Real kubectls against the simulated Kubernetes API: one built from its Go module near the cluster's version, and
# Debian's 1.20. Needs Go and apt-get; ICHOR_KUBECTL_OLD may name another old kubectl. Everything stays on loopback.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cache=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$cache"

(cd "$here" && nice go build -o "$cache/kubectl-1.36" .)

old=${ICHOR_KUBECTL_OLD:-$cache/kubectl-1.20}
if [ ! -x "$old" ]; then
  package=$(mktemp -d)
  trap 'rm -rf "$package"' EXIT
  (cd "$package" && apt-get download kubernetes-client > /dev/null && dpkg-deb -x kubernetes-client_*.deb .)
  cp "$package/usr/bin/kubectl" "$old"
fi

out="$cache/kubectl.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$cache/kubectl-1.36" "$old"
