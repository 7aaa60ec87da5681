import { generateIdentity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { findDataKey, kindOf, wrapDataKey } from './data-key.js'

const ssh = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN alice'
const yubikey = 'age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t'

test.each([
  ['an SSH key', ssh, 'it is an SSH key'],
  ['an SSH key of RSA', 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC', 'it is an SSH key'],
  ['a key behind a plugin', yubikey, 'it needs the age plugin yubikey'],
])('%s is refused as a recipient by its kind, before anything is encrypted', async (_, recipient, why) => {
  const own = await identityToRecipient(await generateIdentity())
  await expect(wrapDataKey(new Uint8Array(32), [own, recipient], '.sops.yaml')).rejects.toMatchObject({
    message: expect.stringContaining(why),
    where: '.sops.yaml',
    fix: expect.stringContaining('age-keygen'),
  })
})

test('a native recipient is no other kind, and its key opens what was sealed for it', async () => {
  const identity = await generateIdentity()
  const recipient = await identityToRecipient(identity)
  expect(kindOf(recipient)).toBeUndefined()
  const dataKey = new Uint8Array(32).fill(7)
  expect(await findDataKey(await wrapDataKey(dataKey, [recipient], 'x'), [identity])).toEqual(dataKey)
})
