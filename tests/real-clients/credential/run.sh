#!/bin/sh
# A real kubectl with `ichor credential` as its exec plugin, against a cluster in the lab: no key in the kubeconfig, and no access
# without the key of the secrets. Needs Go. Everything stays on loopback.
set -eu
cd "$(dirname "$0")/../../.."
root=$(pwd)
cache=${ICHOR_CONFORMANCE_WORK:-$root/node_modules/.cache/ichor-conformance}
mkdir -p "$cache"
test -x "$cache/kubectl-1.36" || (cd tests/real-clients/kubectl && nice go build -o "$cache/kubectl-1.36" .)
node scripts/build-if-needed.mjs

work=$(mktemp -d)
mkdir -p "$work/bin" "$work/inventory"
printf '#!/bin/sh\nexec "%s" "%s/dist/bin.js" "$@"\n' "$(command -v node)" "$root" > "$work/bin/ichor"
chmod +x "$work/bin/ichor"
clean() { (cd "$work/inventory" && env -i HOME="$work" PATH="$work/bin:/usr/bin:/bin" ICHOR_LAB_DIR="$work/lab" "$@"); }
trap 'clean ichor lab stop > /dev/null 2>&1 || true; rm -rf "$work"' EXIT
kubectl() { clean env KUBECONFIG="$work/inventory/kubeconfig.lab" "$cache/kubectl-1.36" "$@"; }

cat > "$work/inventory/cluster.yaml" <<'YAML'
cluster_name: dev
control_plane_count: 1
worker_count: 1
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.254
proxmox:
  datastore: local-lvm
client_files:
  kubeconfig: exec
YAML
clean ichor up --lab --yes > "$work/up.log" 2>&1 || { cat "$work/up.log" >&2; exit 1; }
if grep -q 'client-key-data' "$work/inventory/kubeconfig.lab"; then
  echo "credential: the kubeconfig holds a key" >&2
  exit 1
fi
kubectl get nodes | grep -q 'dev-wk-1 .*Ready'
test "$(kubectl auth can-i '*' '*')" = yes
clean ichor up --lab --yes 2> /dev/null | grep -q 'nothing to do'

mv "$work/.config" "$work/.config-away"
if kubectl get nodes > "$work/answer" 2>&1; then
  echo "credential: kubectl was let in without the key of the secrets" >&2
  exit 1
fi
grep -qi 'age' "$work/answer" || { cat "$work/answer" >&2; exit 1; }
mv "$work/.config-away" "$work/.config"
kubectl get nodes > /dev/null

clean ichor kubeconfig --lab --exec --out "$work/other.kubeconfig" > /dev/null
clean env KUBECONFIG="$work/other.kubeconfig" "$cache/kubectl-1.36" get namespaces | grep -q kube-system
echo "ok: kubectl gets its certificate from ichor credential, and none without the key of the secrets"
