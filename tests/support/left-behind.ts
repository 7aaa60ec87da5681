import type { Lab, LedgerEntry, SavedLab } from '../../src/simulator/index.js'

/** What is on the simulated Proxmox, reported so that two states can be compared. */
export function whatIsThere(lab: Lab) {
  return whatWasSaved(lab.save())
}

/** The same, of a lab that runs elsewhere. */
export function whatWasSaved({ proxmox: { state } }: SavedLab) {
  const shape = (volid: string) => volid.replace(/[0-9a-f]{12}\.(iso|raw)$/, '*.$1')
  return {
    vms: Object.values(state.vms)
      .map(({ vmid, host, config }) => `${vmid} ${host} ${String((config as Record<string, unknown>).name ?? '')}`)
      .sort(),
    volumes: Object.values(state.volumes)
      .map(({ host, volid }) => `${host} ${shape(volid)}`)
      .sort(),
    pools: Object.keys(state.pools)
      .map((id) => id.replace(/lease-\d+/, 'lease-*'))
      .sort(),
  }
}

/** How often an etcd was made in this lab: never more than once. */
export function bootstraps(lab: Lab): number {
  return bootstrapsAmong(lab.ledger.entries())
}

export function bootstrapsAmong(entries: readonly LedgerEntry[]): number {
  return entries.filter(({ event }) => event === 'etcd.bootstrapped').length
}
