import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const ledger = z.object({
  /** Approvals that were carried out, until they expire: seconds since 1970. */
  used: z.record(z.string(), z.number()),
})

/** What acting on a cluster must not forget: it stands in the note of the lease. */
export type Ledger = z.infer<typeof ledger>

export interface LedgerKey {
  readonly id: string
  readonly secret: string
}

const version = 'v1'
const empty: Ledger = { used: {} }

/** `forged`: it was not written with these secrets. Without one there is nothing to remember yet. */
export function readLedger(text: string | undefined, key: LedgerKey): Ledger | 'forged' {
  if (text === undefined) return empty
  const [kind, content = '', seal = ''] = text.split(':')
  const [given, right] = [Buffer.from(seal, 'base64url'), sealOf(content, key)]
  if (kind !== version || given.length !== right.length || !timingSafeEqual(given, right)) return 'forged'
  const parsed = ledger.safeParse(JSON.parse(Buffer.from(content, 'base64url').toString()))
  return parsed.success ? parsed.data : 'forged'
}

/** Without spaces, as a note needs it. Approvals that have expired are refused for that, and need not be remembered. */
export function writeLedger({ used, ...others }: Ledger, key: LedgerKey, nowMs: number): string {
  const kept = Object.entries(used).filter(([, until]) => until * 1000 > nowMs)
  const content = Buffer.from(JSON.stringify({ ...others, used: Object.fromEntries(kept) })).toString('base64url')
  return `${version}:${content}:${sealOf(content, key).toString('base64url')}`
}

function sealOf(content: string, { id, secret }: LedgerKey): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, id, 'ichor ledger v1', 32))
  return createHmac('sha256', key).update(content).digest()
}
