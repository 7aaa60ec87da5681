import { randomBytes } from 'node:crypto'
import { type Document, Scalar } from 'yaml'
import { wrapDataKey } from './data-key.js'
import { createSelector, readSelection, type Selection } from './selection.js'
import { createMac, type OpenSops, placeOf, replaceScalar, sealedKey, yamlForm } from './sops-document.js'
import { bytesOf, encryptValue, isEncrypted, type LeafType, type LeafValue, typeOf } from './value-cipher.js'
import { walk } from './walk.js'

/** The recipients of a file, and which values are encrypted. */
export interface SealingKeys {
  readonly recipients: readonly string[]
  readonly selection: Selection
  readonly macOnlyEncrypted: boolean
}

/** Prepares a plain document for its first encryption, with a new data key. */
export async function prepareSops(document: Document, keys: SealingKeys, where: string): Promise<OpenSops> {
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

/** The text of the file, with a new MAC. Unchanged values keep their ciphertext. */
export function sealSops(open: OpenSops, now: Date, where: string): string {
  const document = open.document.clone() as Document
  const isSelected = createSelector(readSelection(open.metadata, where), where)
  const mac = createMac(open.metadata)
  walk(document, {
    where,
    leaf: (scalar, path) => {
      const value = scalar.value as LeafValue
      const selected = isSelected(path)
      mac.add(value, selected)
      if (selected && value !== '') replaceScalar(scalar, sealText(open, typeOf(value), bytesOf(value), placeOf(path)))
    },
    comment: (line, path) =>
      isSelected(path) && !isEncrypted(line) ? sealText(open, 'comment', Buffer.from(line), placeOf(path)) : line,
  })
  const lastmodified = `${now.toISOString().slice(0, 19)}Z`
  const macText = encryptValue('str', Buffer.from(mac.digest()), open.dataKey, lastmodified)
  document.set('sops', document.createNode({ ...open.metadata, lastmodified: quoted(lastmodified), mac: macText }))
  return document.toString(yamlForm)
}

/** Unquoted, it would be a timestamp in Go, and `sops` needs a string. */
function quoted(text: string): Scalar {
  const scalar = new Scalar(text)
  scalar.type = 'QUOTE_DOUBLE'
  return scalar
}

function sealText(open: OpenSops, type: LeafType, bytes: Buffer, place: string): string {
  return open.sealed.get(sealedKey(type, bytes, place)) ?? encryptValue(type, bytes, open.dataKey, place)
}
