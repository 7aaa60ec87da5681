#!/bin/sh
# Holds our SOPS files, age keys and certificates against sops, age, OpenSSL and Go themselves, in both directions.
# Debian's age is used where it is installed; otherwise the same program is built from its Go module.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=${ICHOR_CONFORMANCE_WORK:-$(mktemp -d)}
[ -n "${ICHOR_CONFORMANCE_WORK:-}" ] || trap 'rm -rf "$work"' EXIT

build() {
  (cd "$here" && nice go build -o "$work/$1" "$2")
}

build sops github.com/getsops/sops/v3/cmd/sops
build verifier ./verifier
for tool in age age-keygen; do
  command -v "$tool" > /dev/null || build "$tool" "filippo.io/age/cmd/$tool"
done

out="$root/node_modules/.cache/ichor-conformance/sops.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
PATH="$PATH:$work" node "$out"
