import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf } from '../byte-source.js'
import { spool } from '../spool.js'
import { inParts } from '../testing.js'
import { chunkSize } from './chunks.js'
import { encrypt } from './encrypt.js'
import { openAgeFile } from './open-age-file.js'
import { makePayloadKey } from './payload-key.js'

let folder: string
let identity: string
let recipient: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-age-'))
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
})
afterAll(() => rm(folder, { recursive: true }))

async function sealedFile(name: string, clear: Uint8Array, part = 10_000): Promise<string> {
  const path = join(folder, `${name}-${randomBytes(4).toString('hex')}`)
  await spool(path, encrypt(await makePayloadKey([recipient]), inParts(clear, part)))
  return path
}

async function opened(path: string, identities = [identity]): Promise<Buffer> {
  const file = await open(path)
  try {
    const source = await openAgeFile(file, (await file.stat()).size, identities, path)
    const parts: Buffer[] = []
    for await (const part of bytesOf(source)) parts.push(Buffer.from(part))
    return Buffer.concat(parts)
  } finally {
    await file.close()
  }
}

const sizes = [0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize, 3 * chunkSize + 777]

test.each(sizes)('%i bytes: the library opens what we seal', async (size) => {
  const clear = randomBytes(size)
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  expect(Buffer.from(await decrypter.decrypt(await readFile(await sealedFile('ours', clear)))).equals(clear)).toBe(true)
})

test.each(sizes)('%i bytes: we open what the library seals', async (size) => {
  const clear = randomBytes(size)
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const path = join(folder, `theirs-${size}`)
  await writeFile(path, await encrypter.encrypt(clear))
  expect((await opened(path)).equals(clear)).toBe(true)
})

test('any part can be read, also across chunks', async () => {
  const clear = randomBytes(5 * chunkSize)
  const path = await sealedFile('parts', clear)
  const file = await open(path)
  const source = await openAgeFile(file, (await file.stat()).size, [identity], path)
  for (const [at, length] of [
    [0, 10],
    [chunkSize - 5, 10],
    [2 * chunkSize, chunkSize],
    [100, 4 * chunkSize],
  ] as const) {
    expect((await source.read(at, length)).equals(clear.subarray(at, at + length))).toBe(true)
  }
  await file.close()
})

test.each([
  [
    'a key that does not fit',
    'snapshot-undecryptable',
    async (path: string) => opened(path, [await generateX25519Identity()]),
  ],
  ['no key', 'snapshot-undecryptable', (path: string) => opened(path, [])],
  ['a flipped bit in the content', 'snapshot-corrupt', (path: string) => flipped(path, -100)],
  ['a flipped bit in the header', 'snapshot-corrupt', (path: string) => flipped(path, 150)],
  ['no age file at all', 'snapshot-corrupt', (path: string) => flipped(path, 2)],
  [
    'an end at a chunk',
    'snapshot-truncated',
    async (path: string) => {
      await truncate(path, (await readFile(path)).length - (777 + 16))
      return opened(path)
    },
  ],
  [
    'an end inside a tag',
    'snapshot-truncated',
    async (path: string) => {
      await truncate(path, (await readFile(path)).length - 780)
      return opened(path)
    },
  ],
  [
    'an end in the header',
    'snapshot-truncated',
    async (path: string) => {
      await truncate(path, 60)
      return opened(path)
    },
  ],
  [
    'an end in the first line',
    'snapshot-truncated',
    async (path: string) => {
      await truncate(path, 5)
      return opened(path)
    },
  ],
  [
    'a newer format',
    'snapshot-too-new',
    async (path: string) => {
      const text = await readFile(path)
      text.write('2', 'age-encryption.org/v'.length)
      await writeFile(path, text)
      return opened(path)
    },
  ],
])('%s is refused as %s', async (_, code, open) => {
  const path = await sealedFile('bad', randomBytes(3 * chunkSize + 777))
  await expect(open(path)).rejects.toMatchObject({ code, exitCode: 3, where: path })
})

async function flipped(path: string, at: number): Promise<Buffer> {
  const bytes = await readFile(path)
  const position = at < 0 ? bytes.length + at : at
  bytes[position] = (bytes[position] ?? 0) ^ 1
  await writeFile(path, bytes)
  return opened(path)
}

test('what is not a recipient is named', async () => {
  await expect(makePayloadKey(['ssh-ed25519 AAAA'])).rejects.toThrow('"ssh-ed25519 AAAA" is not an age recipient.')
})
