#!/usr/bin/env bash
# Runs run.sh of every folder below the given one, whatever the others say, and fails when one of them failed.
set -uo pipefail

# Whatever the judges put into the temporary directory, keys among it, goes with them, however they end.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/ichor-XXXXXX")
export TMPDIR
chmod 711 "$TMPDIR"
trap 'rm -rf "$TMPDIR"' EXIT

failed=()
for judge in "$1"/*/run.sh; do
  name=$(basename "$(dirname "$judge")")
  echo "== $1/$name"
  sh "$judge" || failed+=("$name")
done
if ((${#failed[@]} > 0)); then
  echo "$1: failed: ${failed[*]}" >&2
  exit 1
fi
echo "$1: all passed"
