export interface HighAvailabilityCalls {
  /** Everything that this major version supports. */
  read(major: number, signal: AbortSignal): Promise<HighAvailability>
  resources(signal: AbortSignal): Promise<HaResource[]>
  /** What the manager and the hosts make of it. */
  status(signal: AbortSignal): Promise<HaStatus>
  /** Creates or changes it. */
  setResource(resource: HaResource, signal: AbortSignal): Promise<void>
  /** Does nothing if it does not exist; so do the other removals. */
  removeResource(vmid: number, signal: AbortSignal): Promise<void>
  /** Proxmox 9 and later. */
  setRule(rule: HaRule, signal: AbortSignal): Promise<void>
  removeRule(id: string, signal: AbortSignal): Promise<void>
  /** Proxmox 8; later versions refuse groups. */
  setGroup(group: HaGroup, signal: AbortSignal): Promise<void>
  removeGroup(id: string, signal: AbortSignal): Promise<void>
}

export interface HaStatus {
  /** Local managers: `pve1 (active, watchdog active, Sun Nov 15 03:22:14 2026)`. */
  readonly hosts: readonly { readonly host: string; readonly status: string }[]
  readonly services: readonly HaService[]
}

export interface HaService {
  readonly vmid: number
  readonly host: string
  /** As Proxmox shows it: `started`, `queued`, `error`, `fence`, `recovery`. */
  readonly state: string
}

/** The resources that Proxmox HA manages, and their rules. */
export interface HighAvailability {
  readonly resources: readonly HaResource[]
  /** Proxmox 8. */
  readonly groups: readonly HaGroup[]
  /** Proxmox 9 and later. */
  readonly rules: readonly HaRule[]
}

export interface HaResource {
  readonly vmid: number
  readonly state: 'started' | 'stopped' | 'ignored' | 'disabled'
  /** Restarts on the same host, and moves to others, before HA gives up. */
  readonly maxRestart: number
  readonly maxRelocate: number
  readonly comment?: string
  /** Proxmox 8. */
  readonly group?: string
}

export type HaRule =
  | {
      readonly type: 'node-affinity'
      readonly id: string
      readonly vmids: readonly number[]
      readonly hosts: readonly string[]
      readonly strict: boolean
      readonly comment?: string
    }
  | {
      readonly type: 'resource-affinity'
      readonly id: string
      readonly vmids: readonly number[]
      readonly together: boolean
      readonly comment?: string
    }

export interface HaGroup {
  readonly id: string
  readonly hosts: readonly string[]
  readonly restricted: boolean
  readonly comment?: string
}
