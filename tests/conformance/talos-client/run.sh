#!/bin/sh
# Talos's own Go client against a simulated node: what it can do against a real one it can do here, and nothing more.
# Twice: the client and the node of 1.13, and those of 1.14.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

lab="$root/node_modules/.cache/ichor-conformance/talos-client-lab.mjs"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/lab.ts" --outfile="$lab"

judge() {
  (cd "$here" && nice go build -modfile="modules/$1/go.mod" -o "$work/talos-client" .)
  "$work/talos-client" node "$lab" "$2" | tee -a "$work/verdicts" || true
}

judge v1.13 v1.13.9
judge v1.14 v1.14.1
sed -n 's/^talos-client v.*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/verdicts" | awk '
  { runs++; passed += $1; failed += $2 }
  END { printf "talos-client: %d passed, %d failed\n", passed, failed; exit runs != 2 || failed > 0 }'
