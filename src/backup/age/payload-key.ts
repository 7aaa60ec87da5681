import { hkdfSync } from 'node:crypto'
import { reasonOf } from '../../errors.js'
import { BackupError, SnapshotRefused } from '../snapshot-error.js'
import { tagSize } from './chunks.js'

/** The key of an age file's chunks, and everything before them. */
export interface PayloadKey {
  readonly key: Uint8Array
  readonly header: Uint8Array
}

const nonceSize = 16
const firstLine = 'age-encryption.org/v1\n'

/** Creates the key of a new file. The library writes the header, the only part that depends on public keys. */
export async function makePayloadKey(recipients: readonly string[]): Promise<PayloadKey> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) addRecipient(encrypter, recipient)
  let fileKey = new Uint8Array()
  encrypter.addRecipient({
    wrapFileKey: (key) => {
      fileKey = key.slice()
      return []
    },
  })
  const empty = await encrypter.encrypt(new Uint8Array())
  const header = empty.subarray(0, empty.length - tagSize)
  return { header, key: payloadKey(fileKey, header) }
}

/** Opens the header at the start of the file. */
export async function openPayloadKey(start: Buffer, identities: readonly string[], where: string): Promise<PayloadKey> {
  const header = start.subarray(0, headerLength(start, where))
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    const fileKey = await decrypter.decryptHeader(header.subarray(0, -nonceSize))
    return { header, key: payloadKey(fileKey, header) }
  } catch (cause) {
    throw reasonOf(cause).includes('no identity matched')
      ? noKeyFits(identities.length, where)
      : corruptHeader(where, cause)
  }
}

function headerLength(start: Buffer, where: string): number {
  const line = start.subarray(0, firstLine.length).toString('latin1')
  if (line !== firstLine) throw notThisAge(line, where)
  const mac = start.indexOf('\n--- ')
  const end = mac === -1 ? -1 : start.indexOf('\n', mac + 1)
  if (end !== -1 && end + 1 + nonceSize <= start.length) return end + 1 + nonceSize
  throw new SnapshotRefused('truncated', 'The encrypted file ends inside its header.', { where, fix: anotherSnapshot })
}

const anotherSnapshot = 'Choose another snapshot from `ichor backup list`.'

function notThisAge(line: string, where: string): SnapshotRefused {
  const version = /^age-encryption\.org\/v(\d+)/.exec(line)?.[1]
  if (version !== undefined && version !== '1') {
    return new SnapshotRefused('too-new', `The file is encrypted with version ${version} of age's format.`, {
      where,
      fix: 'Use a newer ichor, or decrypt it with `age` and restore the plain file with --foreign.',
    })
  }
  if (firstLine.startsWith(line)) {
    return new SnapshotRefused('truncated', 'The encrypted file ends inside its header.', {
      where,
      fix: anotherSnapshot,
    })
  }
  return new SnapshotRefused('corrupt', 'This is not a file that age encrypted.', { where, fix: anotherSnapshot })
}

function noKeyFits(count: number, where: string): SnapshotRefused {
  const found = count === 0 ? 'No age key was found' : `No age key matches (${count} found)`
  return new SnapshotRefused('undecryptable', `The snapshot cannot be decrypted. ${found}.`, {
    where,
    fix: 'Set SOPS_AGE_KEY_FILE to the file with a key of its recipients, or SOPS_AGE_KEY to the key.',
  })
}

function corruptHeader(where: string, cause: unknown): SnapshotRefused {
  return new SnapshotRefused('corrupt', `The header of the encrypted file is damaged: ${reasonOf(cause)}.`, {
    where,
    fix: anotherSnapshot,
    cause,
  })
}

function addRecipient(encrypter: { addRecipient(recipient: string): void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw new BackupError(`"${recipient}" is not an age recipient.`, {
      where: 'backup.etcd.recipients',
      fix: 'Write public keys that start with age1, as `age-keygen -y` prints them.',
      cause,
    })
  }
}

function payloadKey(fileKey: Uint8Array, header: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', fileKey, header.subarray(-nonceSize), 'payload', 32))
}
