import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Document, isMap, isScalar, parseDocument, type Scalar } from 'yaml'
import { SecretsError } from '../secrets-error.js'
import { findDataKey, type WrappedKey, wrapDataKey } from './data-key.js'
import { createSelector, readSelection, type Selection } from './selection.js'
import { bytesOf, decryptValue, encryptValue, isEncrypted, type LeafValue, leafValue, typeOf } from './value-cipher.js'
import { placeName, walk } from './walk.js'

/** A SOPS file that has been opened, or is about to be sealed for the first time. */
export interface OpenSops {
  /** The clear values with their comments; changed in place before sealing. */
  readonly document: Document
  readonly dataKey: Uint8Array
  /** What stands under `sops:`, kept as it was found. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Texts of values that have not changed: sealed again, they stay the same to the byte. */
  readonly sealed: ReadonlyMap<string, string>
}

/** The bytes with which SOPS begins a MAC that covers only the encrypted values. */
const macOnlyEncryptedStart = Buffer.from('8a3fd2ad54ce66527b1034f3d147be0b0b975b3bf44f72c6fdadec8176f27d69', 'hex')

/** The layout in which `sops` writes YAML. */
export const yamlForm = { indent: 4, lineWidth: 0 } as const

/** Whether the text is a SOPS file at all. */
export function isSopsText(text: string): boolean {
  const document = parseDocument(text)
  return isMap(document.contents) && document.has('sops')
}

/** Takes a clear document for its first sealing, under a new data key. */
export async function prepareSops(
  document: Document,
  keys: { recipients: readonly string[]; selection: Selection; macOnlyEncrypted: boolean },
  where: string,
): Promise<OpenSops> {
  const dataKey = randomBytes(32)
  const metadata = {
    age: await wrapDataKey(dataKey, keys.recipients, where),
    lastmodified: '',
    mac: '',
    ...keys.selection,
    ...(keys.macOnlyEncrypted ? { mac_only_encrypted: true } : {}),
    version: '3.9.0',
  }
  return { document, dataKey, metadata, sealed: new Map() }
}

/** Decrypts every value and checks the MAC over all of them. */
export async function openSops(text: string, ageKeys: readonly string[], where: string): Promise<OpenSops> {
  const document = parseDocument(text, { intAsBigInt: true })
  if (document.errors.length > 0 || !isMap(document.contents)) throw notSops(where)
  const metadata = (document.toJS() as { sops?: unknown }).sops
  if (!isRecord(metadata)) throw notSops(where)
  removeMetadata(document)
  const dataKey = await getDataKey(metadata, ageKeys, where)
  const sealed = decryptAll(document, dataKey, metadata, where)
  return { document, dataKey, metadata, sealed }
}

/** The text of the file, with a new MAC. Unchanged values keep their text. */
export function sealSops(open: OpenSops, now: Date, where: string): string {
  const document = open.document.clone() as Document
  const isSelected = createSelector(readSelection(open.metadata, where), where)
  const mac = createMac(open.metadata)
  walk(document, {
    leaf: (scalar, path) => {
      const value = scalar.value as LeafValue
      const selected = isSelected(path)
      mac.add(value, selected)
      if (selected && value !== '') replaceScalar(scalar, sealText(open, typeOf(value), bytesOf(value), placeOf(path)))
    },
    comment: (line, path) => (isSelected(path) ? sealText(open, 'comment', Buffer.from(line), placeOf(path)) : line),
  })
  const lastmodified = `${now.toISOString().slice(0, 19)}Z`
  const macText = encryptValue('str', Buffer.from(mac.digest()), open.dataKey, lastmodified)
  document.set('sops', document.createNode({ ...open.metadata, lastmodified, mac: macText }))
  return document.toString(yamlForm)
}

function sealText(open: OpenSops, type: 'comment' | ReturnType<typeof typeOf>, bytes: Buffer, place: string): string {
  return open.sealed.get(sealedKey(type, bytes, place)) ?? encryptValue(type, bytes, open.dataKey, place)
}

function decryptAll(
  document: Document,
  dataKey: Uint8Array,
  metadata: Readonly<Record<string, unknown>>,
  where: string,
): Map<string, string> {
  const isSelected = createSelector(readSelection(metadata, where), where)
  const mac = createMac(metadata)
  const sealed = new Map<string, string>()
  const open = (text: string, path: readonly string[]) => {
    const found = decryptValue(text, dataKey, placeOf(path))
    if (found !== undefined) sealed.set(sealedKey(found.type, found.bytes, placeOf(path)), text)
    return found
  }
  walk(document, {
    leaf: (scalar, path) => {
      const selected = isSelected(path)
      if (selected && scalar.value !== '') {
        const found = typeof scalar.value === 'string' ? open(scalar.value, path) : undefined
        if (found === undefined) throw tampered(`The value of ${placeName(path)}`, where)
        replaceScalar(scalar, leafValue(found))
      }
      mac.add(scalar.value as LeafValue, selected)
    },
    comment: (line, path) => (isEncrypted(line) ? (open(line, path)?.bytes.toString() ?? line) : line),
  })
  checkMac(metadata, dataKey, mac.digest(), where)
  return sealed
}

function createMac(metadata: Readonly<Record<string, unknown>>) {
  const onlyEncrypted = metadata.mac_only_encrypted === true
  const hash = createHash('sha512')
  if (onlyEncrypted) hash.update(macOnlyEncryptedStart)
  return {
    add: (value: LeafValue, selected: boolean) => {
      if (selected || !onlyEncrypted) hash.update(bytesOf(value))
    },
    digest: () => hash.digest('hex').toUpperCase(),
  }
}

function checkMac(
  metadata: Readonly<Record<string, unknown>>,
  dataKey: Uint8Array,
  expected: string,
  where: string,
): void {
  const stored = decryptValue(String(metadata.mac), dataKey, String(metadata.lastmodified))
  if (stored === undefined || !sameBytes(stored.bytes, Buffer.from(expected))) throw tampered('The file', where)
}

function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

async function getDataKey(
  metadata: Readonly<Record<string, unknown>>,
  ageKeys: readonly string[],
  where: string,
): Promise<Uint8Array> {
  const wrapped = (Array.isArray(metadata.age) ? metadata.age : []) as WrappedKey[]
  if (wrapped.length === 0) {
    throw new SecretsError('This SOPS file is not encrypted for any single age key, and ichor knows no other kind.', {
      where,
      fix: 'Add an age recipient with `sops rotate --add-age age1… --in-place`, then try again.',
    })
  }
  const dataKey = await findDataKey(wrapped, ageKeys)
  if (dataKey !== undefined) return dataKey
  const recipients = wrapped.map(({ recipient }) => recipient).join(', ')
  throw new SecretsError(
    `None of the ${ageKeys.length} age keys that were found opens this file. It is encrypted for ${recipients}.`,
    { where, fix: 'Point SOPS_AGE_KEY_FILE at the file with one of those keys, or put the key into SOPS_AGE_KEY.' },
  )
}

/** `sops` writes the last comment of a file in front of its own key, so it is put back to the end. */
function removeMetadata(document: Document): void {
  if (!isMap(document.contents)) return
  const last = document.contents.items.find(({ key }) => isScalar(key) && key.value === 'sops')
  document.delete('sops')
  if (isScalar(last?.key) && last.key.commentBefore) {
    document.comment = [last.key.commentBefore, document.comment].filter(Boolean).join('\n')
  }
}

/** What binds a value to its place; SOPS ends every path with a colon. */
function placeOf(path: readonly string[]): string {
  return `${path.join(':')}:`
}

function sealedKey(type: string, bytes: Buffer, place: string): string {
  return `${place}\0${type}\0${bytes.toString('base64')}`
}

/** The node keeps its comments and forgets how the old value was written. */
function replaceScalar(scalar: Scalar, value: unknown): void {
  scalar.value = value
  delete scalar.type
  delete scalar.source
  delete scalar.format
  delete scalar.tag
}

function tampered(what: string, where: string): SecretsError {
  return new SecretsError(`${what} was changed after it was encrypted: its seal (MAC) does not fit.`, {
    where,
    fix: 'Restore the file from version control, and make changes with `sops` or with ichor only.',
  })
}

function notSops(where: string): SecretsError {
  return new SecretsError('This is not a whole SOPS file: it was cut off or changed.', {
    where,
    fix: 'Restore the file from version control or a backup.',
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
