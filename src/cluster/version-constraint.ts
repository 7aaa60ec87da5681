import { compareVersions, type Version } from './version.js'

const part = String.raw`(\d+|[xX*])`
const comparator = new RegExp(
  String.raw`(>=|<=|!=|>|<|=|~|\^)?\s*v?${part}(?:\.${part})?(?:\.${part})?(?:-[\w.-]+)?(?:\s*,\s*|\s+|$)`,
  'y',
)

/**
 * Whether a constraint such as `>=1.25.0-0 <1.36.0-0 || ~1.30` allows a version; `undefined` if it cannot be parsed.
 */
export function allowsVersion(constraint: string, version: Version): boolean | undefined {
  const verdicts = constraint.split('||').map((range) => allowsAll(range.trim(), version))
  if (verdicts.includes(true)) return true
  return verdicts.includes(undefined) ? undefined : false
}

function allowsAll(range: string, version: Version): boolean | undefined {
  if (range === '' || range === '*') return true
  let isAllowed = true
  for (let at = 0; at < range.length; at = comparator.lastIndex) {
    comparator.lastIndex = at
    const match = comparator.exec(range)
    if (match === null) return undefined
    const [, operator = '=', ...parts] = match
    isAllowed &&= isMet(operator, parts.map(numberOf), version)
  }
  return isAllowed
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text)
}

type Parts = readonly (number | undefined)[]

/** An omitted part or an `x` matches every number. */
function isMet(operator: string, parts: Parts, { major, minor, patch }: Version): boolean {
  const version = { major, minor, patch }
  const [first = 0, second = 0, third = 0] = parts
  const order = compareVersions(version, { major: first, minor: second, patch: third })
  const isWithin = [major, minor, patch].every((number, index) => parts[index] === undefined || parts[index] === number)
  if (operator === '>=') return order >= 0
  if (operator === '<') return order < 0
  if (operator === '>') return order > 0 && !isWithin
  if (operator === '<=') return order < 0 || isWithin
  if (operator === '!=') return !isWithin
  if (operator === '~') return order >= 0 && major === first && (parts[1] === undefined || minor === second)
  if (operator === '^') return order >= 0 && major === first
  return isWithin
}
