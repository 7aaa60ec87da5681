import fc from 'fast-check'
import { UserFacingError } from '../../src/errors.js'
import type { Target } from './target.js'
import { targets } from './targets/index.js'

export interface FuzzOptions {
  /** Of all targets together. */
  readonly inputs: number
  readonly seed: number
  /** Only targets whose name contains it. */
  readonly only?: string
}

export interface Fuzzed {
  readonly name: string
  readonly inputs: number
  readonly ms: number
  /** Bytes that stay in use afterwards. */
  readonly kept: number
  readonly failure?: string
}

/** Nothing takes anywhere near as long; whatever does would never end. */
const longestMs = 10_000
const maxKept = 256 * 1024 * 1024

export async function fuzz({ inputs, seed, only = '' }: FuzzOptions): Promise<Fuzzed[]> {
  const chosen = targets.filter(({ name }) => name.includes(only))
  const shares = chosen.reduce((sum, { share }) => sum + share, 0)
  const results: Fuzzed[] = []
  for (const target of chosen) results.push(await fuzzOne(target, Math.ceil((inputs * target.share) / shares), seed))
  return results
}

async function fuzzOne(target: Target, inputs: number, seed: number): Promise<Fuzzed> {
  const { inputs: arbitrary, read, close } = await target.prepare()
  const strays: unknown[] = []
  const onStray = (reason: unknown) => void strays.push(reason)
  process.on('unhandledRejection', onStray)
  const began = performance.now()
  const before = memoryInUse()
  try {
    const property = fc.asyncProperty(arbitrary, (input) => readOne(read, input))
    const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: inputs, seed })
    const kept = memoryInUse() - before
    const failure = failed
      ? `${fc.stringify(counterexample).slice(0, 2000)}\n${errorInstance instanceof Error ? errorInstance.stack : errorInstance}`
      : strays.length > 0
        ? `a rejection that nobody handled: ${strays[0]}`
        : kept > maxKept
          ? `${Math.round(kept / 2 ** 20)} MiB stay in use`
          : undefined
    const ms = Math.round(performance.now() - began)
    return { name: target.name, inputs, ms, kept, ...(failure === undefined ? {} : { failure }) }
  } finally {
    process.off('unhandledRejection', onStray)
    await close?.()
  }
}

async function readOne(read: (input: unknown) => unknown, input: unknown): Promise<void> {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not end')), longestMs)
  })
  try {
    await Promise.race([read(input), late])
  } catch (thrown) {
    if (!(thrown instanceof UserFacingError)) throw thrown
  } finally {
    clearTimeout(timer)
  }
  if (performance.now() - began > longestMs) throw new Error('it takes far too long')
}

function memoryInUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
