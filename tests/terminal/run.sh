#!/bin/sh
# The built ichor in a real terminal emulator (tmux) at 40, 80 and 200 columns: init, up, status --watch, a failing up, Ctrl-C,
# resizes. npm run terminal -- [--times N] [WIDTH]…
# Needs tmux. Everything stays on loopback.
set -eu
cd "$(dirname "$0")/../.."

if ! command -v tmux > /dev/null; then
  echo "terminal: tmux is missing; install it." >&2
  exit 1
fi

node scripts/build-if-needed.mjs
work=node_modules/.cache/terminal
mkdir -p "$work"
npx esbuild tests/terminal/judge.ts --bundle --platform=node --target=node20 --format=esm \
  --log-level=warning --outfile="$work/judge.mjs"
exec node "$work/judge.mjs" "$@"
