#!/bin/sh
# Prometheus's own promtool judges what `ichor metrics` prints of a lab, and our alert rules; systemd-analyze judges our unit, kubectl our
# Kustomize base, where they are installed. Debian's package prometheus has promtool.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
command -v promtool > /dev/null || { echo "promtool is missing; Debian's package prometheus has it" >&2; exit 1; }
(cd "$root" && node scripts/build-if-needed.mjs)

desk=$(mktemp -d)
export HOME="$desk" XDG_STATE_HOME="$desk/state" XDG_CONFIG_HOME="$desk/config"
ichor() { (cd "$desk" && node "$root/dist/bin.js" "$@"); }
trap 'ichor lab stop > /dev/null 2>&1 || true; rm -rf "$desk"' EXIT

promtool check rules "$root/deploy/prometheus/ichor.rules.yaml"
cp "$root/deploy/prometheus/ichor.rules.yaml" "$here/rules-test.yaml" "$desk"
(cd "$desk" && promtool test rules rules-test.yaml)

cat > "$desk/cluster.yaml" << 'YAML'
cluster_name: dev
talos_version: v1.13.9
control_plane_count: 1
worker_count: 1
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
proxmox: { datastore: local-lvm }
YAML
ichor lab start -i cluster.yaml --speed 300 --detach > /dev/null
ichor up --lab --yes > /dev/null 2>&1
ichor metrics --lab --out ichor.prom
promtool check metrics < "$desk/ichor.prom"
ichor lab fault host-offline --host pve1 > /dev/null
ichor metrics --lab --out ichor.prom || true
promtool check metrics < "$desk/ichor.prom"
grep -q 'ichor_build_info' "$desk/ichor.prom"

if command -v systemd-analyze > /dev/null; then
  # With a program that is there: verify asks for it.
  sed "s#/usr/local/bin/ichor#$(command -v true)#" "$root/deploy/systemd/ichor-watch.service" > "$desk/ichor-watch.service"
  systemd-analyze verify "$desk/ichor-watch.service"
  # 2.0 of 10: what is left is the network, which it needs.
  systemd-analyze security --offline=true --threshold=20 "$desk/ichor-watch.service" > /dev/null
fi
if command -v kubectl > /dev/null; then kubectl kustomize "$root/deploy/kubernetes" > /dev/null; fi
