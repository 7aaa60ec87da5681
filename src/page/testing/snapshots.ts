import type { Snapshot } from '../snapshot.js'

const at = '2026-11-19T10:00:00.000Z'

/** A look at a small healthy cluster. */
export function aSnapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    cluster: 'dev',
    at,
    took_ms: 100,
    is_lab: false,
    verdict: { word: 'HEALTHY', level: 'well', problems: [] },
    sources: [],
    endpoint: 'https://10.0.10.5:6443',
    api: { value: { vip: '10.0.10.5', holder: null, version: 'v1.36.3', servers: [] }, at, why: null },
    versions: { talos: ['v1.13.9'], kubernetes: ['v1.36.3'], proxmox: ['9.2.3'], affected: [], upgrades: [] },
    watch: null,
    talos_version: 'v1.13.9',
    kubernetes_version: 'v1.36.3',
    proxmox_version: '9.2.3',
    hosts: [],
    machines: [],
    etcd: { value: { members: [], healthy: true }, at, why: null },
    addons: { value: [], at, why: null },
    backup: { value: { newest: null, drilled: null }, at, why: null },
    expiries: [],
    findings: [],
    unknown: [],
    drift: [],
    roll: null,
    losses: [],
    ...changes,
  }
}
