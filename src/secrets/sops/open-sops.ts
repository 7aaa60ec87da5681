import { timingSafeEqual } from 'node:crypto'
import { type Document, isMap, isScalar, parseDocument, type Scalar } from 'yaml'
import { SecretsError } from '../secrets-error.js'
import { findValue } from '../yaml-value.js'
import { findDataKey, kindOf, type WrappedKey } from './data-key.js'
import { liftListComments } from './list-comments.js'
import { createSelector, readSelection } from './selection.js'
import { createMac, type Metadata, type OpenSops, placeOf, replaceScalar, sealedKey } from './sops-document.js'
import { type Decrypted, decryptValue, isEncrypted, type LeafValue, leafValue } from './value-cipher.js'
import { placeName, walk } from './walk.js'

/** Decrypts every value and checks the MAC over all of them. */
export async function openSops(text: string, ageKeys: readonly string[], where: string): Promise<OpenSops> {
  const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error' })
  if (document.errors.length > 0 || !isMap(document.contents)) throw notSops(where)
  const metadata = (findValue(document) as { sops?: unknown } | undefined)?.sops
  if (!isRecord(metadata) || !metadata.mac || !metadata.lastmodified) throw notSops(where)
  removeMetadata(document)
  const dataKey = await getDataKey(metadata, ageKeys, where)
  const sealed = decryptAll(document, dataKey, metadata, where)
  return { document, dataKey, metadata, sealed }
}

function decryptAll(document: Document, dataKey: Uint8Array, metadata: Metadata, where: string): Map<string, string> {
  const isSelected = createSelector(readSelection(metadata, where), where)
  const mac = createMac(metadata)
  const opener = createOpener(dataKey)
  const comments = new Map<Scalar, string>()
  walk(document, {
    where,
    leaf: (scalar, path) => {
      const selected = isSelected(path)
      if (selected && scalar.value !== '') {
        const found = typeof scalar.value === 'string' ? opener.find(scalar.value, path) : undefined
        if (found === undefined) throw tampered(`The value of ${placeName(path)}`, where)
        if (found.type === 'comment') return void comments.set(scalar, found.bytes.toString())
        replaceScalar(scalar, leafValue(found))
      }
      mac.add(scalar.value as LeafValue, selected)
    },
    comment: (line, path) => opener.findComment(line, path) ?? line,
  })
  liftListComments(document, comments)
  checkMac(metadata, dataKey, mac.digest(), where)
  return opener.sealed
}

/** Decrypts texts of one file and caches their ciphertext. */
function createOpener(dataKey: Uint8Array) {
  const sealed = new Map<string, string>()
  const find = (text: string, path: readonly string[]): Decrypted | undefined => {
    const found = decryptValue(text, dataKey, placeOf(path))
    if (found !== undefined) sealed.set(sealedKey(found.type, found.bytes, placeOf(path)), text)
    return found
  }
  return {
    sealed,
    find,
    /** YAML libraries differ in where a comment belongs, so outer places are tried as well. */
    findComment: (line: string, path: readonly string[]): string | undefined => {
      if (!isEncrypted(line)) return undefined
      for (let depth = path.length; depth >= 0; depth--) {
        const found = find(line, path.slice(0, depth))
        if (found !== undefined) return found.bytes.toString()
      }
      return undefined
    },
  }
}

function checkMac(metadata: Metadata, dataKey: Uint8Array, expected: string, where: string): void {
  const stored = decryptValue(String(metadata.mac), dataKey, String(metadata.lastmodified))
  const wanted = Buffer.from(expected)
  if (stored?.bytes.length === wanted.length && timingSafeEqual(stored.bytes, wanted)) return
  throw tampered('The file', where)
}

async function getDataKey(metadata: Metadata, ageKeys: readonly string[], where: string): Promise<Uint8Array> {
  const wrapped = (Array.isArray(metadata.age) ? metadata.age : []).filter(isWrappedKey)
  if (wrapped.length === 0) {
    throw new SecretsError('This SOPS file is not encrypted for a single age key, and ichor supports no other kind.', {
      where,
      fix: 'Add an age recipient with `sops rotate --add-age age1… --in-place`, then try again.',
    })
  }
  const dataKey = await findDataKey(wrapped, ageKeys)
  if (dataKey !== undefined) return dataKey
  const recipients = wrapped.map(({ recipient }) => recipient).join(', ')
  const found =
    ageKeys.length === 0
      ? 'No age key was found'
      : ageKeys.length === 1
        ? 'The age key that was found does not match'
        : `None of the ${ageKeys.length} age keys that were found matches`
  const isForeign = wrapped.every(({ recipient }) => kindOf(recipient) !== undefined)
  throw new SecretsError(`${found}. The file is encrypted for ${recipients}.`, {
    where,
    fix: isForeign
      ? 'ichor opens files with native age keys only, not with SSH keys or plugins: add one with `sops rotate --add-age age1… --in-place`.'
      : 'Set SOPS_AGE_KEY_FILE to the file with one of those keys, or SOPS_AGE_KEY to the key.',
  })
}

/** `sops` writes the last comment of a file before its own key, so it is moved back to the end. */
function removeMetadata(document: Document): void {
  if (!isMap(document.contents)) return
  const last = document.contents.items.find(({ key }) => isScalar(key) && key.value === 'sops')
  document.delete('sops')
  if (isScalar(last?.key) && last.key.commentBefore) {
    document.comment = [last.key.commentBefore, document.comment].filter(Boolean).join('\n')
  }
}

function tampered(what: string, where: string): SecretsError {
  return new SecretsError(`${what} was changed after it was encrypted: its seal (MAC) does not fit.`, {
    where,
    fix: 'Restore the file from version control, and make changes with `sops` or with ichor only.',
  })
}

function notSops(where: string): SecretsError {
  return new SecretsError('This SOPS file is incomplete: it was truncated or changed.', {
    where,
    fix: 'Restore the file from version control or a backup.',
  })
}

function isWrappedKey(value: unknown): value is WrappedKey {
  return isRecord(value) && typeof value.enc === 'string' && typeof value.recipient === 'string'
}

function isRecord(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
