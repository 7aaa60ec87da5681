#!/bin/sh
# The SSH jump against a real OpenSSH server, on each Node version that is supported, with ssh2 as it is in the package.
# Needs sshd, ssh, ssh-keygen and ssh-agent (Debian: openssh-server, openssh-client). Everything stays on loopback.
set -eu
cd "$(dirname "$0")/../../.."

if [ ! -x /usr/sbin/sshd ]; then
  echo "real-clients/ssh: /usr/sbin/sshd is missing; install openssh-server." >&2
  exit 1
fi

work=node_modules/.cache/real-clients-ssh
mkdir -p "$work"
node scripts/build-if-needed.mjs
npx esbuild tests/real-clients/ssh/jump.ts --bundle --platform=node --target=node20 --format=esm \
  "--alias:ssh2=$PWD/dist/chunks/ssh2.cjs" "--external:*.cjs" --log-level=warning --outfile="$work/jump.mjs" \
  --banner:js="import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

# A Node of that major version: the one at hand, or the npm package with its binary in a folder of its own.
node_of() {
  if [ "$(node -p 'process.versions.node.split(".")[0]')" = "$1" ]; then
    command -v node
    return
  fi
  folder="${ICHOR_NODE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ichor-nodes}/$1"
  package=$(node -p '`node-${process.platform}-${process.arch}`')
  if [ ! -x "$folder/node_modules/$package/bin/node" ]; then
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-save --no-audit --no-fund "$package@$1" >&2
  fi
  echo "$folder/node_modules/$package/bin/node"
}

for major in ${ICHOR_NODE_VERSIONS:-20 22 24}; do
  node=$(node_of "$major")
  echo "real-clients/ssh: Node $("$node" --version)"
  "$node" --test-reporter=spec "$work/jump.mjs"
done
