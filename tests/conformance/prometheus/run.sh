#!/bin/sh
# Prometheus's own promtool judges what `ichor metrics` prints of a lab, and our alert rules. A real Prometheus reads `ichor watch` with these
# rules and fires for an old backup, a lost host and a lost majority. systemd-analyze judges our unit, kubectl our Kustomize bases.
# Debian has them in the packages prometheus, systemd and kubernetes-client.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
for pair in promtool:prometheus prometheus:prometheus curl:curl systemd-analyze:systemd kubectl:kubernetes-client; do
  command -v "${pair%%:*}" > /dev/null && continue
  echo "${pair%%:*} is missing; Debian's package ${pair#*:} has it" >&2
  exit 1
done
(cd "$root" && node scripts/build-if-needed.mjs)

desk=$(mktemp -d)
export HOME="$desk" XDG_STATE_HOME="$desk/state" XDG_CONFIG_HOME="$desk/config"
ichor() { (cd "$desk" && node "$root/dist/bin.js" "$@"); }
started=""
end() {
  for pid in $started; do kill "$pid" 2> /dev/null || true; done
  for pid in $started; do wait "$pid" 2> /dev/null || true; done
  ichor lab stop > /dev/null 2>&1 || true
  rm -rf "$desk"
}
trap end EXIT

promtool check rules "$root/deploy/prometheus/ichor.rules.yaml"
cp "$root/deploy/prometheus/ichor.rules.yaml" "$here/rules-test.yaml" "$desk"
(cd "$desk" && promtool test rules rules-test.yaml)

cat > "$desk/cluster.yaml" << 'YAML'
cluster_name: dev
talos_version: v1.13.9
control_plane_count: 3
worker_count: 1
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
proxmox: { datastore: local-lvm }
watch: { every: 5m }
YAML
ichor lab start -i cluster.yaml --speed 300 --detach > /dev/null
ichor up --lab --yes > /dev/null 2>&1
ichor metrics --lab --out ichor.prom
promtool check metrics < "$desk/ichor.prom"
grep -q 'ichor_build_info' "$desk/ichor.prom"

# Two ports that nobody uses.
ports=$(node -e 'const net = require("net"); const all = [0, 1].map(() => net.createServer().listen(0, "127.0.0.1")); setTimeout(() => { console.log(all.map((one) => one.address().port).join(" ")); all.forEach((one) => one.close()) }, 100)')
watch_port=${ports% *}
prometheus_port=${ports#* }
sed -E 's/^( +for:).*/\1 0s/' "$root/deploy/prometheus/ichor.rules.yaml" > "$desk/at-once.rules.yaml"
cat > "$desk/prometheus.yaml" << YAML
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [at-once.rules.yaml]
scrape_configs:
  - job_name: ichor
    static_configs: [{ targets: ['127.0.0.1:$watch_port'] }]
YAML
(cd "$desk" && exec node "$root/dist/bin.js" watch --lab --listen "127.0.0.1:$watch_port" > watch.log 2>&1) &
started="$started $!"
(cd "$desk" && exec prometheus --config.file=prometheus.yaml --storage.tsdb.path="$desk/tsdb" \
  --web.listen-address="127.0.0.1:$prometheus_port" --log.level=warn > prometheus.log 2>&1) &
started="$started $!"

# The names of the alerts that fire, one per line.
firing() {
  curl -fsS --max-time 5 "http://127.0.0.1:$prometheus_port/api/v1/alerts" 2> /dev/null |
    node -e 'let text = ""; process.stdin.on("data", (part) => { text += part }).on("end", () => { for (const one of text === "" ? [] : JSON.parse(text).data.alerts) if (one.state === "firing") console.log(one.labels.alertname) })' | sort -u
}
await_alert() {
  tries=0
  until firing | grep -qx "$1"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 180 ]; then
      echo "$1 does not fire; these do: $(firing | tr '\n' ' ')" >&2
      tail -20 "$desk/watch.log" "$desk/prometheus.log" >&2
      exit 1
    fi
    sleep 1
  done
  echo "fires: $1"
}
stay_silent() {
  for name in "$@"; do
    if firing | grep -qx "$name"; then echo "$name fires too early" >&2; exit 1; fi
  done
}
await_alert IchorBackupOld
stay_silent IchorHostDown IchorEtcdWithoutMajority IchorSourceDown
ichor lab fault host-offline --host pve3 > /dev/null
await_alert IchorHostDown
stay_silent IchorEtcdWithoutMajority
ichor lab fault host-offline --host pve2 > /dev/null
await_alert IchorEtcdWithoutMajority
ichor metrics --lab --out ichor.prom || true
promtool check metrics < "$desk/ichor.prom"

# With a program that is there: verify asks for it.
sed "s#/usr/local/bin/ichor#$(command -v true)#" "$root/deploy/systemd/ichor-watch.service" > "$desk/ichor-watch.service"
systemd-analyze verify "$desk/ichor-watch.service"
# 2.0 of 10: what is left is the network, which it needs.
systemd-analyze security --offline=true --threshold=20 "$desk/ichor-watch.service" > /dev/null
for base in "$root/deploy/kubernetes"; do
  kubectl kustomize "$base" > "$desk/base.yaml"
  grep -q '^kind:' "$desk/base.yaml"
done
