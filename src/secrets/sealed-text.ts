import { type Document, isMap, parseDocument } from 'yaml'
import { boundToTree } from './bound-to.js'
import type { SecretsChange } from './bundle.js'
import { recoveryTree } from './bundle-file.js'
import { keyEntries } from './rotation.js'
import { SecretsError } from './secrets-error.js'
import { type Environment, findAgeKeys, makeAgeKey, recipientOf } from './sops/age-keys.js'
import { findCreationRule } from './sops/creation-rules.js'
import { openSops } from './sops/open-sops.js'
import { prepareSops, type SealingKeys, sealSops } from './sops/seal-sops.js'
import { createSelector, defaultSelection, type Selection } from './sops/selection.js'
import { type OpenSops, yamlForm } from './sops/sops-document.js'
import { placeName, walk } from './sops/walk.js'

export interface KeyRing {
  readonly env: Environment
  readonly notify: (text: string) => void
  /** Encrypts for the user's own keys, regardless of the rules: for files that only the user reads. */
  readonly forMyselfOnly?: boolean
}

/** Encrypts a plain secrets file by the rules for its path, and verifies that it can be decrypted again. */
export async function sealText(clear: string, path: string, ring: KeyRing): Promise<string> {
  const document = parseDocument(clear, { intAsBigInt: true })
  const keys = await keysFor(path, ring)
  refuseClearSecrets(document, keys.selection, path)
  const sealed = sealSops(await prepareSops(document, keys, path), new Date(), path)
  await openSops(sealed, await findAgeKeys(ring.env), path)
  return sealed
}

/** Decrypts a SOPS file with any matching age key of the user. */
export async function openText(sealed: string, path: string, env: Environment): Promise<OpenSops> {
  return openSops(sealed, await findAgeKeys(env), path)
}

/** The decrypted text of a file, including comments. */
export function clearText({ document }: OpenSops): string {
  return document.toString(yamlForm)
}

/** Applies this change to a document and leaves the rest unchanged; values are added by name. */
export function applyChange(document: Document, change: SecretsChange): void {
  const set = (path: readonly string[], value: unknown) =>
    document.setIn(['ichor', ...path], document.createNode(value))
  if (change.bootstrapped !== undefined) set(['bootstrapped'], change.bootstrapped)
  if (change.sealed !== undefined) set(['sealed'], change.sealed)
  if (change.contract !== undefined) set(['contract'], change.contract)
  if (change.recovery !== undefined) set(['recovery'], recoveryTree(change.recovery))
  if (change.rotation !== undefined) set(['rotation'], change.rotation)
  if (change.rotated !== undefined) set(['rotated'], change.rotated)
  for (const [name, bound] of Object.entries(change.boundTo ?? {})) set([name, 'bound_to'], boundToTree(bound))
  if (change.signing !== undefined) {
    const { what, material } = change.signing
    for (const [path, text] of keyEntries(what, material)) document.setIn([...path], text)
  }
  for (const [name, value] of Object.entries(change.values ?? {})) set(['values', name], value)
  const values = document.getIn(['ichor', 'values'])
  if (isMap(values) && values.items.length > 0) values.flow = false
}

/** In sops's order: the environment, the rules, and then the user's keys. */
async function keysFor(path: string, ring: KeyRing): Promise<SealingKeys> {
  if (ring.forMyselfOnly === true) return { ...everything, recipients: await ownRecipients(ring) }
  const rule = await findCreationRule(path)
  const named = (ring.env.SOPS_AGE_RECIPIENTS ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const { selection, macOnlyEncrypted } = rule ?? everything
  if (named.length > 0) return { recipients: named, selection, macOnlyEncrypted }
  const recipients = rule?.recipients ?? (await ownRecipients(ring))
  return { recipients, selection, macOnlyEncrypted }
}

const everything = { selection: defaultSelection, macOnlyEncrypted: false } as const

/** Creates a key if the user has none. */
async function ownRecipients({ env, notify }: KeyRing): Promise<string[]> {
  const held = await findAgeKeys(env)
  const keys = held.length > 0 ? held : [await makeAgeKey(env, notify)]
  return Promise.all(keys.map(recipientOf))
}

/** A rule for other files may select no secret of ours, and the file would be plain text under an encrypted name. */
export function refuseClearSecrets(document: Document, selection: Selection, path: string): void {
  const isSelected = createSelector(selection, path)
  const clear: string[] = []
  walk(document, {
    where: path,
    leaf: (_, place) => {
      if (isSecret(place) && !isSelected(place)) clear.push(placeName(place))
    },
    comment: (line) => line,
  })
  if (clear.length === 0) return
  const [name, value] = Object.entries(selection)[0] ?? []
  throw new SecretsError(
    `The creation rule (${name}: ${value}) would leave ${clear.length} secrets unencrypted, ${clear[0]} among them.`,
    {
      where: path,
      fix: `Give this file a separate rule in .sops.yaml, without ${name}.`,
    },
  )
}

/** Certificates and IDs are not secret. */
function isSecret(place: readonly string[]): boolean {
  const [first] = place
  if (first === 'certs') return place.at(-1) === 'key'
  if (first === 'cluster') return place.at(-1) === 'secret'
  return first === 'secrets' || first === 'trustdinfo' || isSecretMemory(place)
}

function isSecretMemory([first, second, ...rest]: readonly string[]): boolean {
  return first === 'ichor' && (second === 'values' || (second === 'rotation' && rest.at(-1) === 'key'))
}
