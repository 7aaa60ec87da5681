/** Faults on demand. Each surface asks before it serves a request, and again after it has acted. */
export interface Faults {
  add(rule: FaultRule): number
  remove(id: number): void
  list(): readonly (FaultRule & { id: number; hits: number })[]
  clear(): void
  /** The rule that this request falls under, used up once more; counts mutating calls for `nthMutating`. */
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
  /** The VM that this request makes. */
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
    /** The Nth mutating call of all surfaces together, counted from 1 since the rule was added. */
    readonly nthMutating?: number
  }
  readonly action: FaultAction
  /** How often it strikes; 1 unless said otherwise. */
  readonly times?: number
  /** How likely it strikes, from 0 to 1, drawn from the lab's seed; always unless said otherwise. */
  readonly chance?: number
}

export type FaultAction =
  | { readonly kind: 'refuse' }
  | { readonly kind: 'delay'; readonly modelMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly message: string }
  /** Acts, then cuts the connection without an answer. */
  | { readonly kind: 'drop-answer' }
  /** Acts, then kills the caller before it can read the answer. */
  | { readonly kind: 'kill-caller' }
  /** The worker that this request starts dies half-way and leaves what such workers leave. */
  | { readonly kind: 'kill-task' }
  | { readonly kind: 'fail-task'; readonly message: string }
  /** A change of a VM's config fails half-way: after so many options, or after a number drawn from the lab's seed. */
  | { readonly kind: 'fail-config'; readonly message: string; readonly after?: number }
  /** The token of this very request is revoked before it is looked at: 401 from here on. */
  | { readonly kind: 'revoke-token' }
  /** The token of this very request loses privileges before it is looked at: 403 where they are needed. */
  | { readonly kind: 'narrow-token'; readonly privileges: readonly string[] }
  /** Sends half of the answer, then cuts. */
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

/** Numbers from 0 to 1 that only look like chance: the same seed, the same row. */
function createDice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
