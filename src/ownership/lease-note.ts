import type { Holder } from './holder.js'

/** The content of a lease's comment. */
export type LeaseNote =
  | ({ readonly kind: 'free' } & Remembered)
  /** Text that ichor did not write. */
  | { readonly kind: 'unreadable' }
  | ({ readonly kind: 'held'; readonly holder: Holder; readonly renewal: number } & Remembered)

/** What must outlive the run that wrote it. */
export interface Remembered {
  /** VMIDs that it may have claimed. */
  readonly intent: readonly number[]
  /** The hosts that machines return to, by name, while they have no VM whose mark records it. */
  readonly homes: Homes
  /** Numbers of leases whose runs may have left requests in marks. */
  readonly unfinished: readonly number[]
  /** What acting must not forget, sealed: see ledger.ts. */
  readonly ledger?: string | undefined
}

export type Homes = Readonly<Record<string, string>>

const free = 'free'

/** A free lease. A failed run leaves the VMIDs that it may have claimed, and the next one checks them. */
export function freeNote({ intent = [], homes = {}, unfinished = [], ledger }: Partial<Remembered> = {}): string {
  const claimed = intent.length === 0 ? '' : ` after ${intent.join(',')}`
  const pairs = Object.entries(homes).map(([machine, host]) => `${machine}=${host}`)
  const open = unfinished.length === 0 ? '' : ` unfinished ${unfinished.join(',')}`
  const kept = ledger === undefined ? '' : ` ledger ${ledger}`
  return `${free}${claimed}${pairs.length === 0 ? '' : ` homes ${pairs.join(',')}`}${open}${kept}`
}

/** One line of JSON; `renewal` makes each one differ, which shows others that the holder is running. */
export function writeNote(holder: Holder, { intent, homes, unfinished, ledger }: Remembered, renewal: number): string {
  return JSON.stringify({
    ...holder,
    renewal,
    intent,
    ...(Object.keys(homes).length === 0 ? {} : { homes }),
    ...(unfinished.length === 0 ? {} : { unfinished }),
    ...(ledger === undefined ? {} : { ledger }),
  })
}

const releasedNote =
  /^free(?: after (?<vmids>[\d,]+))?(?: homes (?<homes>\S+))?(?: unfinished (?<unfinished>[\d,]+))?(?: ledger (?<ledger>\S+))?$/

export function readNote(comment: string): LeaseNote {
  const released = releasedNote.exec(comment.trim())
  if (released !== null) {
    const { vmids, homes: pairs = '', unfinished, ledger } = released.groups ?? {}
    const homes = homesFrom(pairs.split(',').map((pair) => pair.split('=')))
    return { kind: 'free', intent: numbersIn(vmids), homes, unfinished: numbersIn(unfinished), ledger }
  }
  try {
    const { intent, renewal, homes, unfinished, ledger, ...holder } = JSON.parse(comment) as Holder &
      Record<string, unknown>
    if (!isHolder(holder)) return { kind: 'unreadable' }
    return {
      kind: 'held',
      holder,
      intent: integersOf(intent),
      unfinished: integersOf(unfinished),
      homes: homesFrom(Object.entries(homes ?? {})),
      ledger: typeof ledger === 'string' ? ledger : undefined,
      renewal: Number(renewal) || 0,
    }
  } catch {
    return { kind: 'unreadable' }
  }
}

function numbersIn(list = ''): number[] {
  return list.split(',').filter(Boolean).map(Number)
}

function integersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter(Number.isInteger) : []
}

function isHolder(value: Readonly<Record<keyof Omit<Holder, 'since'>, unknown>>): boolean {
  const texts = [value.run, value.user, value.host, value.boot, value.started]
  return texts.every((text) => typeof text === 'string') && Number.isInteger(value.pid)
}

/** Only valid machine and host names: a user who may edit pools could write anything else. */
function homesFrom(pairs: readonly (readonly unknown[])[]): Homes {
  const isName = (value: unknown): value is string =>
    typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(value)
  return Object.fromEntries(
    pairs.flatMap(([machine, host]) => (isName(machine) && isName(host) ? [[machine, host]] : [])),
  )
}
