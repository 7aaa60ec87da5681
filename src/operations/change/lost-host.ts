import { type ExtraDisk, GiB } from '../../cluster/machine.js'
import { ifSeen } from '../../cluster/seen.js'
import { type PlanRefused, UsageError } from '../../errors.js'
import { lostHostLives } from '../../findings/refusals/proxmox.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'

/** A host that the user reports as lost, and what ran there. */
export interface LostHost {
  readonly host: string
  /** Machines of this cluster that are recreated elsewhere. */
  readonly machines: readonly string[]
  /** Their VMs that Proxmox still lists. */
  readonly vmids: readonly number[]
  /** The addresses at which they responded. */
  readonly addresses: readonly string[]
  /** Disks other than the system disk, from the inventory: the VMs can no longer be read. */
  readonly disks: readonly string[]
}

/** Facts about a silent host; refuses one that responds, or whose nodes Kubernetes still reports as ready. */
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
    throw lostHostLives.refuse(`${host} responds: it is not lost.`, {
      subject: { kind: 'host', name: host },
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

/** A host that is only cut off keeps running its VMs: the same machine would run twice. */
export function stillLives(host: string, sign: string): PlanRefused {
  return lostHostLives.refuse(`${host} is not lost: ${sign}. It may only be disconnected and still run its machines.`, {
    subject: { kind: 'host', name: host },
    where: `Proxmox host ${host}`,
    fix: `Switch ${host} off, and make sure that it does not boot again. Then run the command again.`,
  })
}

/** It was silent when the user called it lost. */
export function isBack(host: string): PlanRefused {
  return lostHostLives.refuse(`${host} is back: it responds again.`, {
    subject: { kind: 'host', name: host },
    where: `Proxmox host ${host}`,
    fix: `Remove no files of ${host}; where that happened, restore them before its VMs are started again. Then run ichor status.`,
  })
}

/** The files that root must remove on another host, so that Proxmox no longer lists these VMs. */
export function filesOf({ host, vmids }: Pick<LostHost, 'host' | 'vmids'>): string[] {
  return vmids.map((vmid) => `/etc/pve/nodes/${host}/qemu-server/${vmid}.conf`)
}
