import { addressAt, contains, lastAddress, parseAddress, parseNetwork } from '../../cluster/address.js'
import type { Answers } from './inventory-text.js'
import { templateAnswers } from './inventory-text.js'

/** What Proxmox has, as far as an inventory needs it. */
export interface Site {
  readonly hosts: readonly { readonly name: string; readonly cpus: number; readonly memory: number }[]
  /** Storages for disks, shared ones first. */
  readonly storages: readonly { readonly name: string; readonly free: number; readonly hosts: number }[]
  readonly bridges: readonly { readonly name: string; readonly cidr?: string; readonly gateway?: string }[]
}

/** Sensible defaults for a site; what cannot be known stays as in the template. */
export function proposedAnswers(site: Site, name: string, endpoint: string): Answers {
  const bridge = site.bridges.find(({ cidr }) => cidr !== undefined) ?? site.bridges[0]
  const network = parseNetwork(bridge?.cidr ?? '')
  const cidr = network === undefined ? templateAnswers.cidr : `${addressAt(network, 0)}/${network.prefix}`
  return {
    ...templateAnswers,
    name,
    endpoint,
    hosts: site.hosts.map((host) => host.name),
    datastore: site.storages[0]?.name ?? templateAnswers.datastore,
    bridge: bridge?.name ?? templateAnswers.bridge,
    cidr,
    gateway: bridge?.gateway ?? (network === undefined ? templateAnswers.gateway : (addressAt(network, 1) ?? '')),
    vip: network === undefined ? templateAnswers.vip : (addressAt(network, 5) ?? ''),
    controlPlanes: site.hosts.length >= 3 ? 3 : 1,
    workers: Math.max(1, Math.min(3, site.hosts.length)),
  }
}

/** The answers with the proposed addresses of another network; unchanged if they are in it. */
export function addressesIn(cidr: string, answers: Answers): Answers {
  const network = parseNetwork(cidr)
  if (network === undefined || cidr === answers.cidr) return answers
  const gateway = contains(network, answers.gateway) ? answers.gateway : (addressAt(network, 1) ?? answers.gateway)
  return { ...answers, cidr, gateway, vip: addressAt(network, 5) ?? answers.vip }
}

/** The addresses that an inventory with these answers would use. */
export function addressesOf({ cidr, vip, ...answers }: Answers): string[] {
  const network = parseNetwork(cidr)
  if (network === undefined) return []
  const range = (offset: number, count: number) =>
    Array.from({ length: count }, (_, index) => addressAt(network, offset + index) ?? '')
  return [
    vip,
    ...range(answers.controlPlaneOffset, answers.controlPlanes),
    ...range(answers.workerOffset, answers.workers),
  ].filter((address) => address !== '')
}

/** The same answers with free addresses; `undefined` if the network has none left. */
export function withFreeAddresses(answers: Answers, taken: ReadonlySet<string>): Answers | undefined {
  const network = parseNetwork(answers.cidr)
  if (network === undefined) return answers
  const size = Number(lastAddress(network) - network.base)
  const isFree = (offset: number, count: number, used: ReadonlySet<string>) =>
    Array.from({ length: count }, (_, index) => addressAt(network, offset + index)).every(
      (address, index) => address !== undefined && offset + index < size && !used.has(address),
    )
  const find = (from: number, count: number, used: ReadonlySet<string>) => {
    for (let offset = from; offset < Math.min(size, from + 4096); offset++)
      if (isFree(offset, count, used)) return offset
    return undefined
  }
  const known = new Set([...taken, answers.gateway, new URL(answers.endpoint).hostname])
  const vipOffset = find(offsetOf(answers.vip, answers.cidr) ?? 5, 1, known)
  const vip = vipOffset === undefined ? undefined : addressAt(network, vipOffset)
  const first = find(answers.controlPlaneOffset, answers.controlPlanes, new Set([...known, vip ?? '']))
  const own = first === undefined ? [] : addressesOf({ ...answers, controlPlaneOffset: first, workers: 0 })
  const next = find(answers.workerOffset, answers.workers, new Set([...known, ...own, vip ?? '']))
  if (vip === undefined || first === undefined || next === undefined) return undefined
  return { ...answers, vip, controlPlaneOffset: first, workerOffset: next }
}

function offsetOf(address: string, cidr: string): number | undefined {
  const [network, parsed] = [parseNetwork(cidr), parseAddress(address)]
  if (network === undefined || parsed === undefined || !contains(network, address)) return undefined
  return Number(parsed.value - network.base)
}
