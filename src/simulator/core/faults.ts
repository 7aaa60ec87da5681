/** Faults on demand. Each service checks for a fault before it handles a request, and again after it has acted. */
export interface Faults {
  add(rule: FaultRule): number
  remove(id: number): void
  list(): readonly (FaultRule & { id: number; hits: number })[]
  clear(): void
  /** The rule for this request, with its count reduced; counts mutating calls for `nthMutating`. */
  meet(request: FaultyRequest): FaultRule | undefined
}

export interface FaultyRequest {
  readonly surface: 'proxmox' | 'talos' | 'kubernetes' | 'factory'
  /** HTTP method, or the name of the RPC. */
  readonly method: string
  readonly path: string
  readonly mutating: boolean
  readonly host?: string
  readonly vmid?: number
  /** The VM that this request creates. */
  readonly newVmid?: number
  readonly machine?: string
}

export interface FaultRule {
  readonly match: {
    readonly surface?: FaultyRequest['surface']
    readonly method?: string
    /** Regular expression. */
    readonly path?: string
    readonly host?: string
    readonly vmid?: number
    readonly machine?: string
    /** The Nth mutating call of all services together, counted from 1 since the rule was added. */
    readonly nthMutating?: number
  }
  readonly action: FaultAction
  /** How often it applies; 1 by default. */
  readonly times?: number
  /** The probability that it applies, from 0 to 1, drawn from the lab's seed; 1 by default. */
  readonly chance?: number
}

export type FaultAction =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'delay'; readonly modelMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly message: string }
  /** Acts, then closes the connection without a response. */
  | { readonly kind: 'drop-answer' }
  /** Acts, then kills the caller before it can read the response. */
  | { readonly kind: 'kill-caller' }
  /** The task of this request dies half-way and leaves what such tasks leave. */
  | { readonly kind: 'kill-task' }
  | { readonly kind: 'fail-task'; readonly message: string }
  /** A config change of a VM fails half-way: after this many options, or after a number drawn from the lab's seed. */
  | { readonly kind: 'fail-config'; readonly message: string; readonly after?: number }
  /** The token of this request is revoked before it is handled: 401 from here on. */
  | { readonly kind: 'revoke-token' }
  /** The token of this request loses privileges before it is handled: 403 where they are needed. */
  | { readonly kind: 'narrow-token'; readonly privileges: readonly string[] }
  /** Sends half of the response, then closes the connection. */
  | { readonly kind: 'cut-stream' }

export function createFaults(seed = 1): Faults {
  let nextId = 1
  const draw = createDice(seed)
  const rules = new Map<number, FaultRule & { hits: number; seen: number }>()

  return {
    add: (rule) => {
      const id = nextId++
      rules.set(id, { ...rule, hits: 0, seen: 0 })
      return id
    },
    remove: (id) => void rules.delete(id),
    list: () => [...rules].map(([id, rule]) => ({ ...rule, id })),
    clear: () => rules.clear(),
    meet: (request) => {
      for (const rule of rules.values()) {
        if (rule.hits >= (rule.times ?? 1) || !fits(rule, request)) continue
        if (rule.match.nthMutating !== undefined && !isNth(rule, request)) continue
        if (rule.chance !== undefined && draw() >= rule.chance) continue
        rule.hits++
        return rule
      }
      return undefined
    },
  }
}

function fits({ match }: FaultRule, request: FaultyRequest): boolean {
  return (
    (match.surface === undefined || match.surface === request.surface) &&
    (match.method === undefined || match.method === request.method) &&
    (match.path === undefined || new RegExp(match.path).test(request.path)) &&
    (match.host === undefined || match.host === request.host) &&
    (match.vmid === undefined || [request.vmid, request.newVmid].includes(match.vmid)) &&
    (match.machine === undefined || match.machine === request.machine)
  )
}

function isNth(rule: FaultRule & { seen: number }, request: FaultyRequest): boolean {
  if (!request.mutating) return false
  rule.seen++
  return rule.seen === rule.match.nthMutating
}

/** Pseudo-random numbers from 0 to 1: the same seed gives the same sequence. */
function createDice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
