import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { findAgeKeys, makeAgeKey, recipientOf, usualPlace } from '../../../src/secrets/sops/age-keys.js'
import { findDataKey, wrapDataKey } from '../../../src/secrets/sops/data-key.js'
import type { Check } from './check.js'

export const ageChecks: readonly Check[] = [
  {
    title: 'age opens the data key that we wrapped',
    run: async (shop) => {
      const text = randomBytes(16).toString('hex')
      const [wrapped] = await wrapDataKey(Buffer.from(text), [shop.recipient], 'x')
      assert.equal(shop.run('age', ['-d', '-i', 'age-key.txt'], wrapped?.enc), text)
    },
  },
  {
    title: 'we open the data key that age wrapped',
    run: async (shop) => {
      const text = randomBytes(16).toString('hex')
      const enc = shop.run('age', ['-r', shop.recipient, '-a'], text)
      const found = await findDataKey([{ recipient: shop.recipient, enc }], [shop.key])
      assert.equal(Buffer.from(found ?? []).toString(), text)
    },
  },
  {
    title: 'age-keygen reads the key file that we make, and gives the same recipient',
    run: async (shop) => {
      const env = { HOME: `${shop.folder}/new` }
      const key = await makeAgeKey(env, () => {})
      assert.equal(shop.run('age-keygen', ['-y', usualPlace(env)]).trim(), await recipientOf(key))
    },
  },
  {
    title: 'we read the key file that age-keygen makes, and give the same recipient',
    run: async (shop) => {
      assert.deepEqual(await findAgeKeys(shop.env), [shop.key])
      assert.equal(await recipientOf(shop.key), shop.recipient)
    },
  },
]
