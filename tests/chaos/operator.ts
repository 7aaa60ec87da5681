import { AsyncLocalStorage } from 'node:async_hooks'
import type { World } from '../../src/world.js'
import { watchIdleness } from './idleness.js'

/** Somebody who runs ichor. Runs share this process, so what ends or stops a process is done to the operator instead. */
export interface Operator {
  readonly id: number
  /** The computer that the operator sits at. */
  readonly computer: string
  readonly isDead: boolean
  /** As SIGKILL: nothing that this operator began goes on, and nobody hears of it again. */
  kill(): void
  /** As SIGSTOP, until `wake`; its clock goes on by that much more. */
  freeze(leapMs: number): void
  wake(): void
  /** The run is over. */
  end(): void
  /** What the disk of its computer does with what is written from now on. */
  disk: Disk | undefined
  /** How far the clock of its computer is ahead. */
  clockMs: number
  /** How far its clock has gone while it was frozen. */
  readonly leapMs: number
  /** Nothing keeps it from renewing its lease. */
  readonly isUndisturbed: boolean
  /** Workers of Proxmox that it waits for from now on end no earlier than this. */
  outlast(other: Promise<void>): void
  /** Passes when no worker takes longer. */
  workersEnd(): Promise<void>
  /** Whether this process had time for operators since this one came. */
  wasIdle(): boolean
  /** Passes when the operator may go on: at once, after `wake`, or never. */
  mayGoOn(): Promise<void>
  /** Called once when it is killed. */
  onKilled(listener: () => void): void
}

export interface Disk {
  readonly how: 'full' | 'read-only'
  /** Writes that still succeed. */
  left: number
}

const operators = new Map<number, Operator & { isOver: boolean }>()
const current = new AsyncLocalStorage<Operator>()
let nextId = 1

export function anOperator(computer: string, isUndisturbed = false): Operator {
  const listeners: (() => void)[] = []
  let gate: Promise<void> | undefined
  let open = () => {}
  let outlasted: Promise<void> = Promise.resolve()
  const operator: Operator & { isOver: boolean; leapMs: number; isDead: boolean } = {
    id: nextId++,
    computer,
    isUndisturbed,
    isDead: false,
    isOver: false,
    kill: () => {
      if (operator.isDead || operator.isOver) return
      operator.isDead = true
      for (const listener of listeners) listener()
    },
    disk: undefined,
    clockMs: 0,
    leapMs: 0,
    freeze: (leapMs: number) => {
      operator.leapMs += leapMs
      gate ??= new Promise<void>((resolve) => {
        open = resolve
      })
    },
    wake: () => {
      open()
      gate = undefined
    },
    end: () => {
      operator.isOver = true
    },
    outlast: (other: Promise<void>) => {
      outlasted = other
    },
    workersEnd: () => outlasted,
    wasIdle: watchIdleness(),
    mayGoOn: async () => {
      while (gate !== undefined) await gate
      if (operator.isDead) await new Promise<never>(() => {})
    },
    onKilled: (listener: () => void) => void listeners.push(listener),
  }
  operators.set(operator.id, operator)
  return operator
}

export function asOperator<T>(operator: Operator, work: () => Promise<T>): Promise<T> {
  return current.run(operator, work)
}

/** Who runs the code that asks; nobody for the harness itself. */
export function currentOperator(): Operator | undefined {
  return current.getStore()
}

export function isRunning(id: number): boolean {
  const operator = operators.get(id)
  return operator !== undefined && !operator.isDead && !operator.isOver
}

/** The world of an operator: whatever it does waits while the operator is frozen, and ends with it. */
export function worldOf(operator: Operator, world: World): World {
  return guarded(operator, world, '')
}

function guarded<T extends object>(operator: Operator, target: T, path: string): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key)
      const inner = `${path}.${String(key)}`
      if (typeof value === 'function')
        return (...args: unknown[]) =>
          settled(operator, inner, args, () => Reflect.apply(value, target, args) as unknown)
      return isOpenObject(value) ? guarded(operator, value, inner) : value
    },
  })
}

function settled(operator: Operator, path: string, args: readonly unknown[], call: () => unknown): unknown {
  if (acts.test(path)) history.push({ operator: operator.id, did: path })
  const result = call()
  if (result instanceof Promise && path === '.proxmox.tasks.wait')
    return whenAlive(operator, result.finally(operator.workersEnd))
  if (result instanceof Promise) return whenAlive(operator, noteLease(operator, path, args, result))
  return isOpenObject(result) ? guarded(operator, result, path) : result
}

/** What changes machines: only the holder of the lease does any of it. */
const acts =
  /\.machines\.(create|clone|configure|setOptions|resize|convertToTemplate|start|stop|shutdown|reboot|remove|migrate)$|\.(applyConfiguration|bootstrap|reset|reboot|upgrade)$/

/** What operators did, and which leases they took, in the order in which it happened. */
const history: { readonly operator: number; readonly did: string; readonly lease?: number }[] = []
/** Who has the lease and has not begun to give it back. */
let held: { readonly by: Operator; readonly lease: string } | undefined
/** A lease that was taken from somebody who was alive and could have renewed it, on a computer with time for it. */
let robbery: string | undefined

function noteLease(operator: Operator, path: string, args: readonly unknown[], result: Promise<unknown>) {
  // The machine of a drill is in a cluster of its own, with a lease of its own.
  const number = /(?<!-drill)\/lease-(\d+)$/.exec(String(args[0]))?.[1]
  if (number === undefined) return result
  if (isGivenBack(path, args) && held?.lease === number) held = undefined
  if (path !== '.proxmox.pools.create') return result
  return result.then((isOurs) => {
    if (isOurs !== true) return isOurs
    history.push({ operator: operator.id, did: 'took over the lease', lease: Number(number) })
    if (held?.by.isUndisturbed && held.by.id !== operator.id && isRunning(held.by.id) && operator.wasIdle())
      robbery ??= `operator ${operator.id} took the lease of operator ${held.by.id}, who was at work`
    held = { by: operator, lease: number }
    return isOurs
  })
}

function isGivenBack(path: string, [, comment]: readonly unknown[]): boolean {
  if (path === '.proxmox.pools.remove') return true
  return path === '.proxmox.pools.setComment' && String(comment).startsWith('free')
}

export function robberyOfLease(): string | undefined {
  return robbery
}

/** An act of somebody whose lease another has taken over since; there must be none. */
export function actAfterSuccession(): string | undefined {
  let last: number | undefined
  const succeeded = new Set<number>()
  for (const { operator, did, lease } of history) {
    if (lease !== undefined) {
      if (last !== undefined && last !== operator) succeeded.add(last)
      succeeded.delete(operator)
      last = operator
    } else if (succeeded.has(operator))
      return `operator ${operator} did ${did} after operator ${last} took its lease over`
  }
  return undefined
}

export function forgetOperators(): void {
  history.length = 0
  held = undefined
  robbery = undefined
}

async function whenAlive(operator: Operator, result: Promise<unknown>): Promise<unknown> {
  const end = await result.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  )
  await operator.mayGoOn()
  if ('reason' in end) throw end.reason
  return end.value
}

/** Ports and streams, but no data: those are frozen, arrays or bytes. */
function isOpenObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}
