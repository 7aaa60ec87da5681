#!/bin/sh
# Checks the packaging files with the tools that read them: BuildKit's linter, the loader of docker compose, Ruby and Nix.
# Nothing is built or downloaded besides the Go modules. Ruby and Nix are skipped where they are not installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=${ICHOR_CONFORMANCE_WORK:-$(mktemp -d)}
[ -n "${ICHOR_CONFORMANCE_WORK:-}" ] || trap 'rm -rf "$work"' EXIT

(cd "$here" && nice go build -o "$work/packaging" .)
cd "$root"
"$work/packaging" Dockerfile compose.yaml

if command -v ruby > /dev/null; then
  printf 'packaging/ichor.rb: %s\n' "$(ruby -wc packaging/ichor.rb)"
else
  echo 'packaging/ichor.rb: skipped, no ruby'
fi
if command -v nix-instantiate > /dev/null; then
  NIX_STATE_DIR="$work" NIX_STORE_DIR="$work/store" nix-instantiate --parse flake.nix > /dev/null
  echo 'flake.nix: Syntax OK'
else
  echo 'flake.nix: skipped, no nix'
fi
