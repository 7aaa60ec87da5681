import type { Mark } from './mark.js'

/** What a run asks for once, until it or a later run has done it; the rest of a mark describes the VM. */
const requests = ['reboot', 'replace', 'restart', 'trial', 'firewall-trial'] as const
const writtenBy = 'lease'

function hasRequest({ more = {} }: Mark): boolean {
  return requests.some((key) => more[key] !== undefined)
}

/** Binds the requests of a mark to the lease of the run that writes it. */
export function bindRequests({ more, ...mark }: Mark, lease: number | undefined): Mark {
  const { [writtenBy]: _, ...others } = more ?? {}
  const bound = lease !== undefined && hasRequest({ ...mark, more: others }) ? { [writtenBy]: String(lease) } : {}
  const all = { ...others, ...bound }
  return Object.keys(all).length === 0 ? mark : { ...mark, more: all }
}

/** The lease under which the requests of this mark were written. */
export function leaseOfRequests({ more }: Mark): number | undefined {
  return more?.[writtenBy] === undefined ? undefined : Number(more[writtenBy])
}

/**
 * The mark without the requests of runs that have ended: a user who may edit the notes of a VM could put an older
 * sealed mark back.
 */
export function withoutOldRequests(mark: Mark, unfinished: ReadonlySet<number>): Mark {
  if (!hasRequest(mark) || unfinished.has(leaseOfRequests(mark) ?? 0)) return mark
  const { more, ...rest } = mark
  const isOld = (key: string) => requests.some((name) => name === key) || key === writtenBy || key.startsWith('trial-')
  const kept = Object.entries(more ?? {}).filter(([key]) => !isOld(key))
  return kept.length === 0 ? rest : { ...rest, more: Object.fromEntries(kept) }
}
