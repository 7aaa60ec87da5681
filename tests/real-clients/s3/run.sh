#!/bin/sh
# Our S3 client against a real S3 service: Ceph's radosgw from Debian's packages, with an in-memory store. Loopback only.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
for tool in radosgw radosgw-admin ceph ceph-mon ceph-osd monmaptool; do
  command -v "$tool" > /dev/null && continue
  if [ "${ICHOR_CI:-}" = 1 ]; then
    echo "$tool is missing: install radosgw, ceph-mon and ceph-osd." >&2
    exit 1
  fi
  echo "skipped: $tool is not installed (Debian: radosgw, ceph-mon, ceph-osd)"
  exit 0
done

out="$root/node_modules/.cache/ichor-real-clients/s3.mjs"
mkdir -p "$(dirname "$out")"
"$root/node_modules/.bin/esbuild" --log-level=warning --bundle --platform=node --format=esm --packages=external "$here/judge.ts" --outfile="$out"
cd "$root" && node "$out"
