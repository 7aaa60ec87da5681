#!/bin/sh
# talosctl 1.13.9, built from its Go module, against a simulated cluster of three control planes and a worker.
# The first build takes some minutes on two cores.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$tools"

talosctl=${ICHOR_TALOSCTL:-$tools/talosctl}
if [ -z "${ICHOR_TALOSCTL:-}" ]; then
  version="-X github.com/siderolabs/talos/pkg/machinery/version.Tag=v1.13.9"
  (cd "$here" && nice go build -ldflags "-s -w $version" -o "$talosctl" github.com/siderolabs/talos/cmd/talosctl)
fi

out="$tools/talosctl.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out" "$talosctl"
