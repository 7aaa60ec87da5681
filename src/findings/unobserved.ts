import type { Seen } from '../cluster/seen.js'
import type { Facts } from './facts.js'
import type { Unknown } from './finding.js'

/** Parts that are queried besides the lists of Proxmox and the state of nodes, each seen or not by itself. */
export function unreadBackupJobs({ observed: { proxmox } }: Facts): Unknown[] {
  return unseenOf('the backup jobs', proxmox.backupJobs)
}

export function unreadHighAvailability({ observed: { proxmox } }: Facts): Unknown[] {
  return unseenOf('the resources of Proxmox HA', proxmox.ha)
}

export function unreadFirewall({ observed: { proxmox, machines } }: Facts): Unknown[] {
  return [
    ...unseenOf('the firewall of Proxmox', proxmox.firewall),
    ...machines.flatMap(({ name, rules }) => unseenOf(`the firewall rules of ${name}`, rules)),
  ]
}

export function unreadStorages({ observed: { proxmox } }: Facts): Unknown[] {
  return proxmox.contents.flatMap(({ host, storage, volumes }) => unseenOf(`storage ${storage} on ${host}`, volumes))
}

export function unreadConfigs({ observed: { machines } }: Facts): Unknown[] {
  return machines.flatMap(({ name, talos }) =>
    talos.reach !== 'secured'
      ? []
      : [
          ...unseenOf(`the config of ${name}`, talos.config),
          ...unseenOf(`the saved config of ${name}`, talos.persisted),
          ...unseenOf(`the schematic of ${name}`, talos.schematic),
        ],
  )
}

export function unseenOf(what: string, part: Seen<unknown> | undefined): Unknown[] {
  return part === undefined || part.seen ? [] : [{ what, why: part.why }]
}
