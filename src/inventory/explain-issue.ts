import type { z } from 'zod'
import type { Complaint } from './complaint.js'
import { suggestKey } from './known-keys.js'
import { formatPath, type Path, valueAt } from './path.js'

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** The schema's errors about a value, as problems that a user can act on. */
export function explainIssue(issue: Issue, data: unknown, prefix: Path = []): Complaint[] {
  const path = [...prefix, ...(issue.path as Path)]
  const value = valueAt(data, path)
  const complain = (message: string, fix: string): Complaint[] => [
    { path, message: `${subject(path, value)} ${message}`, fix },
  ]

  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key))
    case 'invalid_union':
      return explainUnion(issue, data, path)
    case 'invalid_key':
      return [invalidKey(path, issue.issues)]
    case 'invalid_type':
      if (value === undefined) return [missing(path, kinds[issue.expected] ?? issue.expected)]
      return wrongType(path, value, [kinds[issue.expected] ?? issue.expected])
    case 'invalid_value':
      return complain(`is not one of ${issue.values.join(', ')}.`, `Write one of ${issue.values.join(', ')}.`)
    case 'too_small':
      return complain(
        `is too small: ${bound(issue.origin, issue.minimum, 'least')}.`,
        `Write ${bound(issue.origin, issue.minimum, 'least')}.`,
      )
    case 'too_big':
      return complain(
        `is too large: ${bound(issue.origin, issue.maximum, 'most')}.`,
        `Write ${bound(issue.origin, issue.maximum, 'most')}.`,
      )
    case 'custom':
      return complain(`${issue.message}.`, String(issue.params?.fix ?? 'Correct the value.'))
    default:
      return complain('is not valid.', 'Correct the value.')
  }
}

function subject(path: Path, value: unknown): string {
  const name = formatPath(path)
  return typeof value === 'object' || value === undefined ? name : `${name}: ${JSON.stringify(value)}`
}

function unknownKey(parent: Path, key: string): Complaint {
  const path = [...parent, key]
  const suggestion = suggestKey(parent, key)
  return {
    path,
    at: 'key',
    message: `${formatPath(path)} is not a key of the inventory.`,
    fix: suggestion === undefined ? `Remove ${key}; docs/inventory.md lists all keys.` : `Did you mean ${suggestion}?`,
  }
}

function missing(path: Path, expected: string): Complaint {
  const name = formatPath(path)
  return { path, message: `${name} is missing.`, fix: `Add ${name}, which is ${expected}.` }
}

function wrongType(path: Path, value: unknown, expected: readonly string[]): Complaint[] {
  const wanted = [...new Set(expected)].join(' or ')
  const found = Array.isArray(value) ? 'a list' : value === null ? 'nothing' : (kinds[typeof value] ?? typeof value)
  const shown = typeof value === 'object' ? found : `${JSON.stringify(value)}, ${found}`
  const hint =
    found !== 'text' && wanted === 'text' && typeof value !== 'object'
      ? ` Put quotes around it: "${String(value)}".`
      : ''
  return [{ path, message: `${formatPath(path)} must be ${wanted}, got ${shown}.`, fix: `Write ${wanted}.${hint}` }]
}

/** The most likely alternative is one with the right type; if there is none, all types are named. */
function explainUnion(issue: UnionIssue, data: unknown, path: Path): Complaint[] {
  const meant = issue.errors.find((branch) => !branch.some(isWrongKind))
  if (meant !== undefined) return meant.flatMap((inner) => explainIssue(inner, data, path))
  const value = valueAt(data, path)
  const expected = [...new Set(kindsOf(issue))]
  return value === undefined ? [missing(path, expected.join(' or '))] : wrongType(path, value, expected)
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

function isWrongKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isWrongKind))
  return issue.code === 'invalid_type'
}

function kindsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(kindsOf)
  return issue.code === 'invalid_type' ? [kinds[issue.expected] ?? issue.expected] : []
}

function invalidKey(path: Path, issues: readonly Issue[]): Complaint {
  const reason = issues[0]?.message ?? 'is not a valid key'
  return {
    path,
    at: 'key',
    message: `${formatPath(path)}: the key ${String(path.at(-1))} ${reason}.`,
    fix: 'Correct the key.',
  }
}

function bound(origin: string, limit: number | bigint, word: 'least' | 'most'): string {
  if (origin === 'string') return `at ${word} ${limit} characters`
  if (origin === 'array') return `at ${word} ${limit} entries`
  return `${limit} at ${word}`
}
