import { createHash } from 'node:crypto'
import { type Document, isMap, parseDocument, type Scalar } from 'yaml'
import { bytesOf, type LeafType, type LeafValue } from './value-cipher.js'

export type Metadata = Readonly<Record<string, unknown>>

/** A decrypted SOPS file, or one that is about to be encrypted for the first time. */
export interface OpenSops {
  /** The decrypted values with their comments; changed in place before encryption. */
  readonly document: Document
  readonly dataKey: Uint8Array
  /** The content of `sops:`, kept unchanged. */
  readonly metadata: Metadata
  /** Ciphertexts of existing values: unchanged values keep them byte for byte. */
  readonly sealed: ReadonlyMap<string, string>
}

/** The YAML layout of `sops`. */
export const yamlForm = { indent: 4, lineWidth: 0 } as const

/** Whether the text is a SOPS file. */
export function isSopsText(text: string): boolean {
  const document = parseDocument(text)
  return isMap(document.contents) && document.has('sops')
}

/** The age recipients of a SOPS file. */
export function recipientsIn({ age }: Metadata): string[] {
  const entries: unknown[] = Array.isArray(age) ? age : []
  return entries.flatMap((entry) => {
    const { recipient } = (entry ?? {}) as { recipient?: unknown }
    return typeof recipient === 'string' ? [recipient] : []
  })
}

/** Binds a value to its place; SOPS ends every path with a colon. */
export function placeOf(path: readonly string[]): string {
  return `${path.join(':')}:`
}

/** The key of `OpenSops.sealed`. */
export function sealedKey(type: LeafType, bytes: Buffer, place: string): string {
  return `${place}\0${type}\0${bytes.toString('base64')}`
}

/** The node keeps its comments and loses the old formatting of its value. */
export function replaceScalar(scalar: Scalar, value: unknown): void {
  scalar.value = value
  delete scalar.type
  delete scalar.source
  delete scalar.format
  delete scalar.tag
}

/** The bytes with which SOPS starts a MAC that covers only the encrypted values. */
const macOnlyEncryptedStart = Buffer.from('8a3fd2ad54ce66527b1034f3d147be0b0b975b3bf44f72c6fdadec8176f27d69', 'hex')

/** The MAC over all values of a file, in order. */
export function createMac(metadata: Metadata) {
  const onlyEncrypted = metadata.mac_only_encrypted === true
  const hash = createHash('sha512')
  if (onlyEncrypted) hash.update(macOnlyEncryptedStart)
  return {
    add: (value: LeafValue, isEncrypted: boolean) => {
      if (isEncrypted || !onlyEncrypted) hash.update(bytesOf(value))
    },
    digest: () => hash.digest('hex').toUpperCase(),
  }
}
