#!/bin/sh
# Holds our machine configs, patches, secrets and schematic ids against Talos's own library, for each minor from 1.8 to 1.14.
#   run.sh                        judges all minors
#   run.sh 13 14                  judges these
#   run.sh --write-known-fields   writes the table of known fields again
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=${ICHOR_CONFORMANCE_WORK:-$(mktemp -d)}
[ -n "${ICHOR_CONFORMANCE_WORK:-}" ] || trap 'rm -rf "$work"' EXIT
all="8 9 10 11 12 13 14"

# A TypeScript file becomes one that Node runs; packages are found from the project's folder.
script() {
  out="$root/node_modules/.cache/ichor-conformance/$1.mjs"
  "$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/$1.ts" --outfile="$out"
  shift
  node "$out" "$@"
}

judge() {
  tags=""
  [ "$1" -lt 14 ] || tags="-tags=talos14"
  (cd "$here/judge" && nice go build -modfile="../modules/v1.$1/go.mod" $tags -o "$work/judge-$1" .)
}

if [ "${1:-}" = --write-known-fields ]; then
  for minor in $all; do
    judge "$minor"
    "$work/judge-$minor" schema "$work/schema-$minor.json"
  done
  script write-known-fields "$work" "$root/src/talos/config/patch/known-fields.ts"
  exit 0
fi

passed=0
failed=0

# Adds the counts of a verdict, whose last line is "NAME: N passed, N failed".
count() {
  cat "$2"
  counts=$(sed -n "s/^$1: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p" "$2")
  if [ -z "$counts" ]; then
    echo "The judge of $1 gave no verdict." >&2
    exit 1
  fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
}

for minor in ${*:-$all}; do
  folder="$work/v1.$minor"
  mkdir -p "$folder"
  judge "$minor"
  "$work/judge-$minor" secrets "v1.$minor" "$folder/secrets.yaml"
  script write-cases "$minor" "$folder"
  "$work/judge-$minor" check "$minor" "$folder" "$here/known-differences.json" > "$folder/verdict.txt" || true
  count "v1\.$minor" "$folder/verdict.txt"
done

(cd "$here/judge-schematics" && nice go build -o "$work/judge-schematics" .)
script write-schematics "$work/schematics.json"
"$work/judge-schematics" "$work/schematics.json" > "$work/schematics.txt" || true
count schematics "$work/schematics.txt"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
