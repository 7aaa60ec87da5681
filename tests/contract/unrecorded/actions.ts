/** A call that was made without keeping it. */
export interface Action {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly form?: Record<string, string>
  /** A form with a file. */
  readonly file?: readonly (readonly [string, string])[]
  /** The token that made it, where it was not the recorder's own; `root@pam` has a ticket. */
  readonly by?: string
}

/** What was done without keeping it. Without any one of these, exchanges differ that come later. */
export interface Unrecorded {
  /** The exchange before which it was done; else before the first of the file. */
  readonly before?: string
  readonly done: readonly Action[]
  /** Where the recordings show it. */
  readonly shownBy: string
}

export type UnrecordedByFile = Readonly<Record<string, readonly Unrecorded[]>>

export const qemu = '/nodes/pve/qemu'

type Options = Readonly<Record<string, string>>

/** A VM exactly as configured. */
export function createBare(vmid: number, options: Options = {}): Action {
  return { method: 'POST', path: qemu, form: { vmid: String(vmid), ...options } }
}

/** A small VM that runs without hardware virtualisation, as nearly all of the recordings. */
export function create(vmid: number, options: Options = {}): Action {
  return createBare(vmid, { kvm: '0', memory: '128', ...options })
}

export function configure(vmid: number, form: Record<string, string>): Action {
  return { method: 'POST', path: `${qemu}/${vmid}/config`, form }
}

export function start(vmid: number): Action {
  return { method: 'POST', path: `${qemu}/${vmid}/status/start` }
}

export function stop(vmid: number): Action {
  return { method: 'POST', path: `${qemu}/${vmid}/status/stop` }
}

export function remove(vmid: number): Action {
  return { method: 'DELETE', path: `${qemu}/${vmid}?purge=1` }
}

export function removeSnapshot(vmid: number, name: string): Action {
  return { method: 'DELETE', path: `${qemu}/${vmid}/snapshot/${name}` }
}

export function removePool(poolid: string): Action {
  return { method: 'DELETE', path: `/pools?poolid=${encodeURIComponent(poolid)}` }
}

/** By an administrator's ticket, which no token can stand in for. */
export function asRoot(action: Action): Action {
  return { ...action, by: 'root@pam' }
}

/** Stopped and removed whatever lock is on it. */
export function clean(...vmids: readonly number[]): Action[] {
  return vmids.flatMap((vmid) => [asRoot(stop(vmid)), asRoot({ method: 'DELETE', path: `${qemu}/${vmid}?skiplock=1` })])
}
