import { CelFailed } from './cel-error.js'
import type { CelValue } from './overloads.js'

/** Values by name: a variable's, or `disk.size`. */
export type Values = Readonly<Record<string, CelValue>>

export function getValue(values: Values, name: string): CelValue {
  const value = values[name]
  if (value === undefined) throw new CelFailed(`no such attribute(s): ${name}`)
  return value
}

/** The value that decides, of any side; otherwise the failure of a side, otherwise the opposite. */
export function eitherDecides(
  sides: readonly { run(values: Values): CelValue }[],
  values: Values,
  decides: boolean,
): boolean {
  let failed: unknown
  for (const side of sides)
    try {
      if (side.run(values) === decides) return decides
    } catch (error) {
      failed = error
    }
  if (failed !== undefined) throw failed
  return !decides
}

export function listOf(value: CelValue): readonly CelValue[] {
  return Array.isArray(value) ? (value as readonly CelValue[]) : []
}

export function isEqual(one: CelValue, other: CelValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
}
