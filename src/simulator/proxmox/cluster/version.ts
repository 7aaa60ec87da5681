import type { Call, Routes } from '../http/call.js'

const versions = {
  8: { version: '8.4.21', release: '8.4', repoid: '2606ac850d46da29' },
  9: { version: '9.2.11', release: '9.2', repoid: '14a22df35955d97d' },
} as const

export function versionOf(pve: 8 | 9): { version: string; release: string; repoid: string } {
  return versions[pve]
}

const version = ({ datacenter }: Call) => versionOf(datacenter.pve)

export const versionRoutes: Routes = {
  'GET /': () => ['version', 'cluster', 'nodes', 'storage', 'access', 'pools'].map((subdir) => ({ subdir })),
  'GET /version': version,
  'GET /nodes/{node}/version': version,
}
