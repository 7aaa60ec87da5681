import type { LedgerEntry } from './ledger.js'

/** A call that created or changed a VM. */
export interface Touch {
  readonly at: number
  /** The caller: a user, or a token such as `root@pam!lab`. */
  readonly user: string
  readonly call: string
  readonly status: number
}

export function isTouchOf({ event, surface, mutating, subject, detail }: LedgerEntry, vmid: number): boolean {
  if (event !== 'call' || surface !== 'proxmox' || !mutating) return false
  return detail?.newVmid === vmid || new RegExp(`/qemu/${vmid}(/|$)`).test(subject)
}

export function touchOf({ at, subject, detail }: LedgerEntry): Touch {
  return { at, user: String(detail?.user ?? ''), call: subject, status: Number(detail?.status ?? 0) }
}
