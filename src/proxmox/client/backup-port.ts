export interface BackupCalls {
  jobs(signal: AbortSignal): Promise<BackupJob[]>
  /** Creates or changes it. */
  setJob(job: BackupJob, signal: AbortSignal): Promise<void>
  /** Does nothing if it does not exist. */
  removeJob(id: string, signal: AbortSignal): Promise<void>
}

export interface BackupJob {
  readonly id: string
  readonly schedule: string
  readonly storage: string
  readonly enabled: boolean
  /** Either these VMs or everything in a pool. */
  readonly what: { readonly vmids: readonly number[] } | { readonly pool: string }
  /** Everything else (`mode`, `compress`, `prune-backups`, `comment`, …), as Proxmox names it. */
  readonly settings: Readonly<Record<string, string>>
}
