import type { Lab } from '../simulator/index.js'
import { need, type Strike } from './strike.js'

type StrikeDatacentre = (lab: Lab, strike: Strike) => void | Promise<void>

/** Faults of hosts, storages, tokens and the network. */
export const datacentreStrikes = {
  'hang-api': (lab, strike) => lab.proxmox.trouble.hangApi(getHost(lab, strike)),
  'wake-api': (lab, strike) => lab.proxmox.trouble.hangApi(getHost(lab, strike), false),
  'lag-files': (lab, strike) => lab.proxmox.trouble.lagClusterFiles(getHost(lab, strike), strike.ms),
  'lag-statistics': ({ proxmox }, { ms }) => proxmox.trouble.lagStatistics(ms),
  'fail-start': ({ proxmox }, strike) => proxmox.trouble.failStarts(need(strike, 'vmid')),
  'allow-start': ({ proxmox }, strike) => proxmox.trouble.failStarts(need(strike, 'vmid'), false),
  'remove-vm-file': ({ proxmox }, strike) => proxmox.trouble.removeVmFile(need(strike, 'vmid')),
  'unlock-vm': ({ proxmox }, strike) => proxmox.trouble.unlockVm(need(strike, 'vmid')),
  'slow-storage': (lab, strike) =>
    lab.proxmox.trouble.slowStorage(getHost(lab, strike), getStorage(lab, strike), strike.factor),
  'read-only-storage': (lab, strike) =>
    lab.proxmox.trouble.readOnlyStorage(getHost(lab, strike), getStorage(lab, strike)),
  'writable-storage': (lab, strike) =>
    lab.proxmox.trouble.readOnlyStorage(getHost(lab, strike), getStorage(lab, strike), false),
  'power-cut': ({ proxmox }, strike) => {
    refuseOneHost(strike)
    proxmox.cutPower()
  },
  'power-back': ({ proxmox }, strike) => {
    refuseOneHost(strike)
    proxmox.cutPower(false)
  },
  'revoke-token': ({ proxmox }, { token }) => proxmox.trouble.revokeToken(token ?? proxmox.tokenId),
  'narrow-token': ({ proxmox }, { token, privileges = [] }) =>
    proxmox.trouble.narrowToken(token ?? proxmox.tokenId, privileges),
  'restore-token': ({ proxmox }, { token }) => {
    proxmox.trouble.revokeToken(token ?? proxmox.tokenId, false)
    proxmox.trouble.narrowToken(token ?? proxmox.tokenId, [])
  },
  duplicate: ({ network }, strike) => network.duplicate(need(strike, 'address'), undefined),
  single: ({ network }, strike) => network.duplicate(need(strike, 'address'), false),
  cut,
  mend: ({ proxmox, network, topology }) => {
    const hosts = topology.hosts.map(({ name }) => name)
    network.cuts.remove()
    proxmox.trouble.cutHosts(hosts, hosts, false)
  },
} satisfies Readonly<Record<string, StrikeDatacentre>>

function refuseOneHost({ host }: Strike): void {
  if (host === undefined) return
  throw new Error(`The power of every host fails at once. For one host, use --host-offline ${host} and --host-online.`)
}

/** Hosts are cut off from each other on the cluster network; everything else on the machines' network. */
function cut({ proxmox, network, topology }: Lab, strike: Strike): void {
  const [from, to] = [need(strike, 'from'), need(strike, 'to')]
  const hosts = topology.hosts.map(({ name }) => name)
  const how = strike.isRefused === true ? 'refuse' : 'swallow'
  if ([...from, ...to].every((side) => hosts.includes(side))) proxmox.trouble.cutHosts(from, to)
  else network.cuts.add({ from, to, how, oneWay: strike.isOneWay === true })
}

function getHost({ topology }: Lab, strike: Strike): string {
  const names = topology.hosts.map(({ name }) => name)
  return getName('host', names, need(strike, 'host'))
}

function getStorage({ topology }: Lab, strike: Strike): string {
  const names = topology.storages.map(({ id }) => id)
  return getName('storage', names, need(strike, 'storage'))
}

export function getName(what: string, names: readonly string[], name: string): string {
  if (names.includes(name)) return name
  throw new Error(`The lab has no ${what} "${name}"; it has ${names.join(', ')}.`)
}
