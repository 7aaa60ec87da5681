import {
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Opens a short age file, as SOPS wraps data keys in, with a native X25519 key; `undefined` where it is of any other kind, damaged
 * or for another recipient. With Node's own cryptography that takes no time, while loading the age library takes longer than most commands.
 */
export function openNative(armored: string, ageKey: string): Uint8Array | undefined {
  const secret = scalarOf(ageKey)
  const file = Buffer.from(armored.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  const end = file.indexOf('\n--- ')
  const bodyAt = file.indexOf('\n', end + 1) + 1
  if (secret === undefined || end < 0 || bodyAt === 0) return undefined
  const header = file.subarray(0, end + '\n---'.length)
  const fileKey = findFileKey(header.toString('latin1'), secret)
  const mac = file.subarray(header.length + 1, bodyAt - 1)
  if (fileKey === undefined || !isSealedBy(fileKey, header, mac)) return undefined
  const opened = openBody(fileKey, file.subarray(bodyAt))
  return opened === undefined ? undefined : new Uint8Array(opened)
}

const nonceSize = 16
const tagSize = 16
const chunkSize = 64 * 1024

function findFileKey(header: string, secret: KeyObject): Buffer | undefined {
  if (!header.startsWith('age-encryption.org/v1\n')) return undefined
  const stanzas = header.matchAll(/^-> X25519 ([\w+/]{43})\n([\w+/]{43})$/gm)
  for (const [, share = '', body = ''] of stanzas) {
    const fileKey = unwrap(Buffer.from(share, 'base64'), Buffer.from(body, 'base64'), secret)
    if (fileKey !== undefined) return fileKey
  }
  return undefined
}

function unwrap(share: Buffer, body: Buffer, secret: KeyObject): Buffer | undefined {
  const publicKey = createPublicKey({ key: Buffer.concat([spkiStart, share]), format: 'der', type: 'spki' })
  const own = createPublicKey(secret).export({ type: 'spki', format: 'der' }).subarray(spkiStart.length)
  const salt = Buffer.concat([share, own])
  try {
    const shared = diffieHellman({ privateKey: secret, publicKey })
    return decrypt(derive(shared, salt, 'age-encryption.org/v1/X25519'), Buffer.alloc(12), body)
  } catch {
    return undefined
  }
}

function isSealedBy(fileKey: Buffer, header: Buffer, mac: Buffer): boolean {
  const hmac = createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header')).update(header)
  const expected = Buffer.from(hmac.digest('base64').replaceAll('=', ''))
  return mac.length === expected.length && timingSafeEqual(mac, expected)
}

/** Of one chunk, which is its last. */
function openBody(fileKey: Buffer, body: Buffer): Buffer | undefined {
  const [nonce, chunk] = [body.subarray(0, nonceSize), body.subarray(nonceSize)]
  if (chunk.length > chunkSize + tagSize) return undefined
  const lastChunk = Buffer.alloc(12)
  lastChunk[11] = 1
  return decrypt(derive(fileKey, nonce, 'payload'), lastChunk, chunk)
}

function derive(from: Buffer, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, salt, purpose, 32))
}

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagSize) return undefined
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagSize })
  decipher.setAuthTag(sealed.subarray(-tagSize))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagSize)), decipher.final()])
  } catch {
    return undefined
  }
}

const pkcs8Start = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spkiStart = Buffer.from('302a300506032b656e032100', 'hex')
const letters = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'

/** Bech32 without its checksum: a key that is misspelt opens nothing anyway. */
function scalarOf(ageKey: string): KeyObject | undefined {
  const [, text] = /^AGE-SECRET-KEY-1([02-9AC-HJ-NP-Z]{52})[02-9AC-HJ-NP-Z]{6}$/.exec(ageKey) ?? []
  if (text === undefined) return undefined
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Array.from({ length: 32 }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2))
  return createPrivateKey({ key: Buffer.concat([pkcs8Start, Buffer.from(bytes)]), format: 'der', type: 'pkcs8' })
}
