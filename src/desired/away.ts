import type { Machine } from '../cluster/machine.js'
import { ifSeen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'
import type { DesiredAway } from './desired.js'

/**
 * Wanted machines whose VM is, or may be, on a host that does not respond. They are neither changed nor created
 * elsewhere: once the host is back there would be two of them.
 */
export function machinesAway(machines: readonly Machine[], observed: Observed): DesiredAway[] {
  const there = new Set(observed.machines.map(({ name }) => name))
  const away = observed.unverified.filter(({ because }) => because === 'away')
  const holders = new Map(away.map((vm) => [vm.holds, vm]))
  const guess = away.some(({ isGuess }) => isGuess) ? away[0] : undefined
  const isRemembered = rememberedBy(observed)
  const [unread] = unreadVms(observed)
  return machines.flatMap((machine): DesiredAway[] => {
    if (there.has(machine.name)) return []
    const holder = holders.get(machine.name) ?? guess ?? (isRemembered(machine) ? unread : undefined)
    if (holder === undefined) return []
    const { host, vmid } = holder
    return [{ machine, host, vmid, ...('doubt' in holder ? { doubt: holder.doubt } : {}) }]
  })
}

/**
 * VMs that are listed on silent hosts, of any owner: without a config, name, tag and pool do not prove that one is not
 * ours.
 */
function unreadVms({ proxmox, machines, unverified }: Observed) {
  const hosts = new Set(proxmox.unreadHosts.map(({ host }) => host))
  const known = new Set(
    [...machines, ...unverified.filter(({ because }) => because !== 'unread')].map(({ vmid }) => vmid),
  )
  return proxmox.guests.filter(
    ({ kind, template, host, vmid }) => kind === 'qemu' && !template && hosts.has(host) && !known.has(vmid),
  )
}

/** Whether a machine existed before: its node is still registered, or Kubernetes does not respond. */
function rememberedBy({ kubernetes, secrets }: Observed): (machine: Machine) => boolean {
  if (!kubernetes.seen) return () => secrets.bootstrapped
  const uuids = new Set(ifSeen(kubernetes)?.nodes.map(({ systemUuid }) => systemUuid.toLowerCase()))
  return ({ identity }) => uuids.has(identity.uuid)
}
