/** The parts of a task's name: `UPID:node:pid:pstart:starttime:type:id:user:`. */
export interface Upid {
  readonly host: string
  /** Seconds since 1970, by the host's clock. */
  readonly startedAt: number
  readonly type: string
  /** Usually the VMID. */
  readonly id: string
  /** `user@realm` or `user@realm!token`. */
  readonly user: string
}

/** `undefined` for anything that is not the name of a task. */
export function parseUpid(text: unknown): Upid | undefined {
  if (typeof text !== 'string') return undefined
  const match = /^UPID:([^:]+):[0-9A-F]{8}:[0-9A-F]{8,9}:([0-9A-F]{8}):([^:]+):([^:]*):([^:]+):$/i.exec(text)
  if (match === null) return undefined
  const [, host = '', start = '', type = '', id = '', user = ''] = match
  return { host, startedAt: Number.parseInt(start, 16), type, id: decode(id), user: decode(user) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
