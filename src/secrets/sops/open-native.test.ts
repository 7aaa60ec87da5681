import { armor, Encrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { findDataKey, wrapDataKey } from './data-key.js'
import { openNative } from './open-native.js'

const dataKey = new Uint8Array(32).map((_, index) => index)

async function sealedFor(...identities: string[]): Promise<string> {
  const encrypter = new Encrypter()
  for (const identity of identities) encrypter.addRecipient(await identityToRecipient(identity))
  return armor.encode(await encrypter.encrypt(dataKey))
}

test('what the library seals for a native key is opened, whichever of the recipients it is', async () => {
  const [one, other, unrelated] = await Promise.all([1, 2, 3].map(() => generateX25519Identity()))
  const sealed = await sealedFor(one ?? '', other ?? '')
  expect(openNative(sealed, one ?? '')).toEqual(dataKey)
  expect(openNative(sealed, other ?? '')).toEqual(dataKey)
  expect(openNative(sealed, unrelated ?? '')).toBeUndefined()
})

test('a file that was changed anywhere, cut off or never one is not opened', async () => {
  const key = await generateX25519Identity()
  const sealed = await sealedFor(key)
  const bytes = Buffer.from(sealed.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect({ at, opened: openNative(changed.toString('base64'), key) }).toEqual({ at, opened: undefined })
    expect(openNative(bytes.subarray(0, at).toString('base64'), key)).toBeUndefined()
  }
  expect(openNative('', key)).toBeUndefined()
  expect(openNative(sealed, 'AGE-SECRET-KEY-1')).toBeUndefined()
})

test('what is sealed for a key of another kind still opens, by the library', async () => {
  const key = await generateHybridIdentity()
  expect(openNative(await sealedFor(key), key)).toBeUndefined()
  const wrapped = await wrapDataKey(dataKey, [await identityToRecipient(key)], 'x')
  expect(await findDataKey(wrapped, ['AGE-SECRET-KEY-1BROKEN', key])).toEqual(dataKey)
})
