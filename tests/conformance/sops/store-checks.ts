import { strict as assert } from 'node:assert'
import { parse } from 'yaml'
import { formatBundle } from '../../../src/secrets/bundle-file.js'
import { openSecretsStore } from '../../../src/secrets/store.js'
import { initSecrets } from '../../../src/secrets/verbs.js'
import type { Check } from './check.js'
import type { Workshop } from './workshop.js'

const open = ({ folder, env }: Workshop) => openSecretsStore({ folder, env, notify: () => {} })

export const storeChecks: readonly Check[] = [
  {
    title: 'sops opens the secrets of a new cluster, before and after something was remembered',
    run: async (shop) => {
      const { bundle } = await initSecrets(open(shop), 'v1.13')
      const before = parse(shop.run('sops', ['decrypt', 'secrets.sops.yaml']))
      assert.deepEqual(before, {
        ...parse(formatBundle(bundle)),
        ichor: { bootstrapped: false, contract: 'v1.13', values: {} },
      })
      await open(shop).remember({ bootstrapped: true, values: { token: 'abc' } })
      const after = parse(shop.run('sops', ['decrypt', 'secrets.sops.yaml']))
      assert.deepEqual(after.ichor, { bootstrapped: true, contract: 'v1.13', values: { token: 'abc' } })
    },
  },
  {
    title: 'a bundle that a user sealed with sops becomes our store',
    run: async (shop) => {
      const { bundle } = await initSecrets(open(shop), 'v1.6')
      await shop.write('clear.yaml', `# by hand\n${formatBundle(bundle)}`)
      const text = shop.run('sops', ['encrypt', '--age', shop.recipient, 'clear.yaml'])
      await shop.write('secrets.sops.yaml', text)
      await open(shop).remember({ bootstrapped: true })
      assert.deepEqual((await open(shop).find())?.bundle, bundle)
      assert.match(shop.run('sops', ['decrypt', 'secrets.sops.yaml']), /^# by hand\n/)
    },
  },
]
