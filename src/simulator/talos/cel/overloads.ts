import { CelFailed } from './cel-error.js'

export type CelValue = string | bigint | boolean | readonly CelValue[]
/** `list(string)` is the only list of a disk. */
export type CelType = 'string' | 'int' | 'uint' | 'bool' | `list(${string})`

interface Overload {
  readonly takes: readonly CelType[]
  readonly gives: CelType
  run(...values: CelValue[]): CelValue
}

const orders = {
  '_<_': (order: number) => order < 0,
  '_<=_': (order: number) => order <= 0,
  '_>_': (order: number) => order > 0,
  '_>=_': (order: number) => order >= 0,
}

/** Functions of CEL's standard library and of Talos's own, by name; a method is a function of its subject. */
export const overloads: ReadonlyMap<string, readonly Overload[]> = new Map(
  Object.entries({
    ...Object.fromEntries(Object.entries(orders).map(([name, judge]) => [name, comparisons(judge)])),
    '_+_': [...numbers((a, b) => a + b), texts('string', (a, b) => a + b)],
    '_-_': numbers((a, b) => a - b),
    '_*_': numbers((a, b) => a * b),
    '_/_': numbers((a, b) => a / notZero(b)),
    '_%_': numbers((a, b) => a % notZero(b)),
    '-_': [{ takes: ['int'], gives: 'int', run: (a) => -BigInt(a as bigint) }],
    '!_': [{ takes: ['bool'], gives: 'bool', run: (a) => a !== true }],
    size: [
      { takes: ['string'], gives: 'int', run: (a) => BigInt([...String(a)].length) },
      { takes: ['list(string)'], gives: 'int', run: (a) => BigInt((a as readonly CelValue[]).length) },
    ],
    '.startsWith': [texts('bool', (a, b) => a.startsWith(b))],
    '.endsWith': [texts('bool', (a, b) => a.endsWith(b))],
    '.contains': [texts('bool', (a, b) => a.includes(b))],
    '.matches': [texts('bool', (a, b) => new RegExp(b, 'u').test(a))],
    glob: [texts('bool', (pattern, text) => matchesGlob(pattern, text))],
  } satisfies Record<string, readonly Overload[]>),
)

function comparisons(judge: (order: number) => boolean): Overload[] {
  const types = ['string', 'int', 'uint'] as const
  return types.map((type) => ({
    takes: [type, type],
    gives: 'bool',
    run: (a = '', b = '') => judge(a < b ? -1 : Number(a > b)),
  }))
}

function numbers(sum: (a: bigint, b: bigint) => bigint): Overload[] {
  return (['int', 'uint'] as const).map((type) => ({
    takes: [type, type],
    gives: type,
    run: (a, b) => sum(BigInt(a as bigint), BigInt(b as bigint)),
  }))
}

function texts(gives: CelType, judge: (a: string, b: string) => CelValue): Overload {
  return { takes: ['string', 'string'], gives, run: (a, b) => judge(String(a), String(b)) }
}

function notZero(divisor: bigint): bigint {
  if (divisor === 0n) throw new CelFailed('division by zero')
  return divisor
}

/** Only `*` is special. */
function matchesGlob(pattern: string, text: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(text)
}
