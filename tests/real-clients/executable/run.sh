#!/bin/sh
# The single executable, as somebody without Node would use it: in an empty folder, from a template to a healthy cluster in the lab.
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'HOME="$work" ICHOR_LAB_DIR="$work/.lab" "$work/ichor" lab stop > /dev/null 2>&1 || true; rm -rf "$work"' EXIT
node scripts/executable.mjs "$work/ichor"
ichor() { (cd "$work" && env -i HOME="$work" PATH=/usr/bin:/bin ICHOR_LAB_DIR="$work/.lab" "$work/ichor" "$@"); }
test "$(ichor version)" = "$(node -p 'require("./package.json").version')"
ichor init --template
ichor up --lab --yes
ichor status --lab | grep -q HEALTHY
echo "ok: one file builds a cluster in the lab"
