import { mapLimit } from '../../../cluster/map-limit.js'
import { type Seen, seen, unseen } from '../../../cluster/seen.js'
import { reasonOf } from '../../../errors.js'
import type { ObserveScope } from '../../../observe/observe-scope.js'
import type { ObservedFirewall, ObservedHostFirewall } from '../../../observe/observed.js'
import { hostSetOf, isHostRule, management } from '../../../ownership/host-set.js'
import type { GuestResource } from '../../../proxmox/client/port.js'
import type { World } from '../../../world.js'
import { isFiltered } from '../ask-firewall.js'

const cluster = { kind: 'cluster' } as const

export interface HostScope {
  readonly question: ObserveScope
  readonly clusterId: string
  /** Guests that do not belong to the cluster. */
  readonly others: readonly GuestResource[]
}

/** The state of the datacenter firewall, and what ichor has changed in it, if it may have changed something. */
export async function askHostFirewall(
  firewall: Seen<ObservedFirewall> | undefined,
  { question, clusterId, others }: HostScope,
  world: World,
  signal: AbortSignal,
): Promise<Seen<ObservedFirewall> | undefined> {
  if (firewall?.seen !== true) return firewall
  const { isOn, ipsets } = firewall.value
  const set = hostSetOf(question.clusterName, clusterId)
  const own = ipsets.find(({ name }) => name === set.name)
  if (own === undefined && !question.setsHostRules) return firewall
  const { firewall: calls, hosts } = world.proxmox
  const membersOf = async (name: string) =>
    ipsets.some((ipset) => ipset.name === name) ? calls.ipsetEntries(cluster, name, signal) : []
  try {
    const [managers, members, { rules }, addresses, foreign] = await Promise.all([
      membersOf(management),
      membersOf(set.name),
      calls.rules(cluster, signal),
      hosts.addresses(signal),
      isOn || !question.setsHostRules ? { foreign: [], unread: [] } : askFilteredGuests(others, world, signal),
    ])
    const found: ObservedHostFirewall = {
      state: set.stateOf(own?.comment),
      managers,
      members: members.map(({ cidr }) => cidr),
      addresses,
      hasRule: rules.some((rule) => isHostRule(rule, set)),
      ...foreign,
    }
    return seen({ ...firewall.value, hosts: found })
  } catch (thrown) {
    signal.throwIfAborted()
    return unseen(reasonOf(thrown))
  }
}

/** VMs whose own firewall is enabled and takes effect with the datacenter firewall. */
async function askFilteredGuests(
  guests: readonly GuestResource[],
  world: World,
  signal: AbortSignal,
): Promise<Pick<ObservedHostFirewall, 'foreign' | 'unread'>> {
  const read = await mapLimit(
    guests.filter(({ template }) => !template),
    8,
    async (guest) => ({ guest, isOn: await isFilteredGuest(guest, world, signal) }),
  )
  return {
    foreign: read.flatMap(({ guest: { vmid, name }, isOn }) =>
      isOn === true ? [{ vmid, ...(name === undefined ? {} : { name }) }] : [],
    ),
    unread: read.flatMap(({ guest, isOn }) => (isOn === undefined ? [guest.vmid] : [])),
  }
}

/** `undefined` if unknown: containers, and VMs that the token may not read. */
async function isFilteredGuest(guest: GuestResource, { proxmox }: World, signal: AbortSignal) {
  if (guest.kind !== 'qemu') return undefined
  try {
    const config = await proxmox.machines.findConfig(guest, signal)
    if (config === undefined) return undefined
    const { options } = await proxmox.firewall.options({ kind: 'vm', vm: guest }, signal)
    return options.enable === '1' && isFiltered(config.options)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
