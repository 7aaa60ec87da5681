export interface HighAvailabilityCalls {
  resources(signal: AbortSignal): Promise<HaResource[]>
  /** Makes it, or changes it into this. */
  setResource(resource: HaResource, signal: AbortSignal): Promise<void>
  /** Nothing happens when it is gone already; nor do the other removals. */
  removeResource(vmid: number, signal: AbortSignal): Promise<void>
  /** Proxmox 9 and later. */
  rules(signal: AbortSignal): Promise<HaRule[]>
  setRule(rule: HaRule, signal: AbortSignal): Promise<void>
  removeRule(id: string, signal: AbortSignal): Promise<void>
  /** Proxmox 8; later versions refuse. */
  groups(signal: AbortSignal): Promise<HaGroup[]>
  setGroup(group: HaGroup, signal: AbortSignal): Promise<void>
  removeGroup(id: string, signal: AbortSignal): Promise<void>
}

export interface HaResource {
  readonly vmid: number
  readonly state: 'started' | 'stopped' | 'ignored' | 'disabled'
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
