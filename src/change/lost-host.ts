import { type ExtraDisk, GiB } from '../cluster/machine.js'
import { ifSeen } from '../cluster/seen.js'
import { PlanRefused, UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

/** A host that is gone for good, as it is reported, and what ran there. */
export interface LostHost {
  readonly host: string
  /** Machines of this cluster that are built elsewhere. */
  readonly machines: readonly string[]
  /** What Proxmox still lists of them. */
  readonly vmids: readonly number[]
  /** Where each of them answered. */
  readonly addresses: readonly string[]
  /** Disks beside the system disk, as the inventory has them: nobody can look at the VMs any more. */
  readonly disks: readonly string[]
}

/** What is known of a host that does not answer; refuses one that does, or whose nodes Kubernetes still hears. */
export function lostHost(host: string, { machines }: Inventory, observed: Observed): LostHost {
  const { hosts } = observed.proxmox
  const found = hosts.find(({ name }) => name === host)
  if (found === undefined) {
    throw new UsageError(`There is no host ${host} in Proxmox.`, {
      where: '--host',
      fix: `Name one of ${hosts.map(({ name }) => name).join(', ')}.`,
    })
  }
  if (found.online) {
    throw new PlanRefused(`${host} responds: it is not lost.`, {
      where: `Proxmox host ${host}`,
      fix: 'Replace single machines of it with ichor replace NODE.',
    })
  }
  const away = observed.unverified.filter((vm) => vm.because === 'away' && vm.host === host)
  const held = new Set(away.map(({ holds }) => holds))
  const lost = machines.filter(({ name }) => held.has(name))
  const uuids = new Set(lost.map(({ identity }) => identity.uuid))
  const ready = ifSeen(observed.kubernetes)?.nodes.find(
    (node) => node.ready && uuids.has(node.systemUuid.toLowerCase()),
  )
  if (ready !== undefined) throw stillLives(host, `node ${ready.name} is Ready`)
  return {
    host,
    machines: lost.map(({ name }) => name),
    vmids: away.map(({ vmid }) => vmid),
    addresses: lost.flatMap(({ address }) => address ?? []),
    disks: lost.flatMap(({ name, disks }) => disks.map((disk, index) => diskInWords(name, disk, index))),
  }
}

function diskInWords(machine: string, { size, volume }: ExtraDisk, index: number): string {
  const name = volume === undefined ? '' : ` ${volume}`
  return `disk scsi${index + 1}${name} (${Math.round(size / GiB)} GiB) of ${machine}`
}

/** A host that is only cut off goes on running its VMs: the same machine would run twice. */
export function stillLives(host: string, sign: string): PlanRefused {
  return new PlanRefused(`${host} is not lost: ${sign}. It may only be disconnected and still run its machines.`, {
    where: `Proxmox host ${host}`,
    fix: `Switch ${host} off, and make sure that it does not boot again. Then run the command again.`,
  })
}

/** What root must remove on a host that is left, so that Proxmox forgets these VMs. */
export function filesOf({ host, vmids }: Pick<LostHost, 'host' | 'vmids'>): string[] {
  return vmids.map((vmid) => `/etc/pve/nodes/${host}/qemu-server/${vmid}.conf`)
}
