import { SecretsError } from '../secrets-error.js'

/** Which values of a file are encrypted, in SOPS's terms; at most one of the four is set. */
export interface Selection {
  readonly unencrypted_suffix?: string
  readonly encrypted_suffix?: string
  readonly unencrypted_regex?: string
  readonly encrypted_regex?: string
}

export const defaultSelection: Selection = { unencrypted_suffix: '_unencrypted' }

const known = ['unencrypted_suffix', 'encrypted_suffix', 'unencrypted_regex', 'encrypted_regex'] as const
const unknown = ['unencrypted_comment_regex', 'encrypted_comment_regex'] as const

/** Reads the selection from a creation rule or from a file's metadata. */
export function readSelection(source: Readonly<Record<string, unknown>>, where: string): Selection {
  const unsupported = unknown.find((name) => source[name])
  if (unsupported !== undefined) {
    throw new SecretsError(`ichor does not know SOPS's ${unsupported}.`, {
      where,
      fix: 'Choose the encrypted values by encrypted_regex, or leave them all encrypted.',
    })
  }
  const given = known.filter((name) => typeof source[name] === 'string' && source[name] !== '')
  if (given.length > 1) {
    throw new SecretsError(`${given.join(' and ')} are both set, but SOPS allows only one of them.`, {
      where,
      fix: `Remove all but one of ${given.join(', ')}.`,
    })
  }
  const [name] = given
  return name === undefined ? defaultSelection : { [name]: String(source[name]) }
}

/** Whether the value at this path is encrypted. */
export function createSelector(selection: Selection, where: string): (path: readonly string[]) => boolean {
  const { unencrypted_suffix, encrypted_suffix, unencrypted_regex, encrypted_regex } = selection
  if (encrypted_suffix !== undefined) return (path) => path.some((name) => name.endsWith(encrypted_suffix))
  if (encrypted_regex !== undefined) {
    const regex = compile(encrypted_regex, where)
    return (path) => path.some((name) => regex.test(name))
  }
  if (unencrypted_regex !== undefined) {
    const regex = compile(unencrypted_regex, where)
    return (path) => !path.some((name) => regex.test(name))
  }
  return (path) => !path.some((name) => unencrypted_suffix !== undefined && name.endsWith(unencrypted_suffix))
}

/** Go supports a leading `(?i)`; otherwise both dialects agree for the usual patterns. */
export function compile(pattern: string, where: string): RegExp {
  const ignoresCase = pattern.startsWith('(?i)')
  try {
    return new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? 'i' : '')
  } catch (cause) {
    throw new SecretsError(`${JSON.stringify(pattern)} is not a regular expression that ichor understands.`, {
      where,
      fix: 'Rewrite it without features that only Go supports.',
      cause,
    })
  }
}
