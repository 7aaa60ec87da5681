/** The kind of an error, for code to branch on. */
export type ProxmoxErrorKind =
  | 'vmid-taken'
  | 'exists'
  | 'absent'
  | 'no-vm'
  | 'no-host'
  | 'changed'
  | 'locked'
  | 'busy'
  | 'no-quorum'
  | 'storage-full'
  | 'storage-unfit'
  | 'host-down'
  | 'timed-out'
  | 'worker-died'
  | 'forbidden'
  | 'forbidden-tag'
  | 'root-only'
  | 'unauthenticated'
  | 'protected'
  | 'running'
  | 'not-running'
  | 'template'
  | 'base-in-use'
  | 'not-empty'
  | 'not-hotpluggable'
  | 'checksum'
  | 'download'
  | 'high-availability'
  | 'agent'
  | 'start-failed'
  | 'invalid'
  | 'unknown-call'
  | 'not-proxmox'
  | 'untrusted'
  | 'unreachable'
  | 'other'

export interface ErrorRule {
  readonly kind: ProxmoxErrorKind
  readonly pattern: RegExp
  readonly message: (found: RegExpExecArray) => string
  readonly fix: string
  /** The same call may succeed a little later. */
  readonly isTransient?: true
}
