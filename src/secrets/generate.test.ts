import { expect, test } from 'vitest'
import { readPrivateKey } from '../pki/private-key.js'
import { complaintsAbout } from './check-bundle.js'
import { generateBundle } from './generate.js'

test.each([
  { contract: 'v1.2', secret: 'aescbcencryptionsecret', serviceAccount: 'ec', idAlphabet: /^[A-Za-z0-9_-]{43}=$/ },
  { contract: 'v1.6.3', secret: 'secretboxencryptionsecret', serviceAccount: 'ec', idAlphabet: /^[A-Za-z0-9_-]{43}=$/ },
  { contract: 'v1.13', secret: 'secretboxencryptionsecret', serviceAccount: 'rsa', idAlphabet: /^[A-Za-z0-9_-]{43}=$/ },
  { contract: '1.14', secret: 'secretboxencryptionsecret', serviceAccount: 'rsa', idAlphabet: /^[A-Za-z0-9+/]{43}=$/ },
])(
  'contract $contract has a $secret and an $serviceAccount service account key',
  async (expected) => {
    const bundle = await generateBundle(expected.contract)
    expect(complaintsAbout(bundle)).toEqual([])
    expect(Object.keys(bundle.secrets)).toEqual(['bootstraptoken', expected.secret])
    expect(bundle.cluster.id).toMatch(expected.idAlphabet)
    const pem = Buffer.from(bundle.certs.k8sserviceaccount.key, 'base64').toString()
    expect(readPrivateKey(pem).asymmetricKeyType).toBe(expected.serviceAccount)
  },
  60_000,
)

test('no two clusters share a secret', async () => {
  const [one, other] = await Promise.all([generateBundle('v1.6'), generateBundle('v1.6')])
  const values = (bundle: typeof one): string[] => JSON.stringify(bundle).match(/"[^"]{20,}"(?!:)/g) ?? []
  expect(values(one).filter((value) => values(other).includes(value))).toEqual([])
})

test('what is not a contract is refused', async () => {
  await expect(generateBundle('latest')).rejects.toThrow('"latest" is not a Talos version contract.')
})
