import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import { SecretsError } from '../secrets-error.js'
import { compile, readSelection, type Selection } from './selection.js'

/** The first matching rule of a `.sops.yaml`. */
export interface CreationRule {
  readonly recipients: readonly string[]
  readonly selection: Selection
  readonly macOnlyEncrypted: boolean
  /** The `.sops.yaml` that contains it. */
  readonly source: string
}

type Fields = Readonly<Record<string, unknown>>

const otherKeys = ['kms', 'pgp', 'gcp_kms', 'hckms', 'azure_keyvault', 'hc_vault_transit_uri', 'hc_vault'] as const

/** The creation rule for a file, from the nearest `.sops.yaml` in its folder or above; `undefined` if there is none. */
export async function findCreationRule(file: string): Promise<CreationRule | undefined> {
  const source = await findConfig(dirname(resolve(file)))
  if (source === undefined) return undefined
  const rules = parseRules(source)
  if (rules === undefined) return undefined
  const path = relative(dirname(source.path), resolve(file))
  const rule = rules.find(({ path_regex }) => !path_regex || compile(String(path_regex), source.path).test(path))
  if (rule === undefined) {
    throw new SecretsError(`None of the creation rules fits ${path}.`, {
      where: source.path,
      fix: `Add a rule with a path_regex that fits ${path} and with your age recipients.`,
    })
  }
  return {
    recipients: recipientsOf(rule, source.path),
    selection: readSelection(rule, source.path),
    macOnlyEncrypted: rule.mac_only_encrypted === true,
    source: source.path,
  }
}

async function findConfig(start: string): Promise<{ path: string; text: string } | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, '.sops.yaml')
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return { path, text }
    if (folder === dirname(folder)) return undefined
  }
}

function parseRules({ path, text }: { path: string; text: string }): Fields[] | undefined {
  try {
    return (parse(text) as { creation_rules?: Fields[] | null } | null)?.creation_rules ?? undefined
  } catch (cause) {
    throw new SecretsError('These rules are not YAML.', { where: path, fix: 'Repair the file.', cause })
  }
}

/** Omitting a key that others rely on would lock them out, so anything but age is refused. */
function recipientsOf(rule: Fields, where: string): string[] {
  const groups = Array.isArray(rule.key_groups) ? (rule.key_groups as Fields[]) : [rule]
  const [group, ...more] = groups
  const unsupported = otherKeys.find((name) => isGiven(group?.[name]))
  if (group === undefined || more.length > 0 || unsupported !== undefined || isGiven(group.merge)) {
    throw new SecretsError(
      `The creation rule requires ${unsupported ?? 'several key groups'}, but ichor supports only age.`,
      {
        where,
        fix: 'Give these files a separate rule, with age recipients in one group.',
      },
    )
  }
  const recipients = listOf(group.age)
  if (recipients.length === 0) {
    throw new SecretsError('The creation rule names no age recipient.', { where, fix: 'Add `age: age1…` to it.' })
  }
  return [...new Set(recipients)]
}

function listOf(field: unknown): string[] {
  const parts = Array.isArray(field) ? field.map(String) : String(field ?? '').split(',')
  return parts
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function isGiven(field: unknown): boolean {
  return Array.isArray(field) ? field.length > 0 : field !== undefined && field !== null && field !== ''
}
