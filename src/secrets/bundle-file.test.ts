import { beforeAll, expect, test } from 'vitest'
import { generatePrivateKey, privateKeyPem } from '../pki/private-key.js'
import type { SecretsBundle } from './bundle.js'
import { emptyMemory, formatBundle, formatSecretsFile, parseSecretsFile } from './bundle-file.js'
import { generateBundle } from './generate.js'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await generateBundle('v1.6')
})

test('a bundle survives being written and read', () => {
  expect(parseSecretsFile(formatBundle(bundle), 'x')).toEqual({ bundle, memory: emptyMemory })
})

test("ichor's memory stands beside the bundle under its own key", () => {
  const memory = { bootstrapped: true, contract: 'v1.6', values: { token: '007', other: 'true' } }
  expect(parseSecretsFile(formatSecretsFile({ bundle, memory }), 'x')).toEqual({ bundle, memory })
})

test('the file has the shape that talosctl writes: four spaces, its key order, one line a value', () => {
  const lines = formatBundle(bundle).split('\n')
  expect(lines.map((line) => line.replace(/:.*/, ':'))).toEqual([
    ...['cluster:', '    id:', '    secret:'],
    ...['secrets:', '    bootstraptoken:', '    secretboxencryptionsecret:'],
    ...['trustdinfo:', '    token:', 'certs:'],
    ...['    etcd:', '        crt:', '        key:', '    k8s:', '        crt:', '        key:'],
    ...['    k8saggregator:', '        crt:', '        key:', '    k8sserviceaccount:', '        key:'],
    ...['    os:', '        crt:', '        key:', ''],
  ])
})

test('a token of digits stays text', () => {
  const digits = { ...bundle, trustdinfo: { token: '123456.1234567890123456' } }
  expect(parseSecretsFile(formatBundle(digits), 'x').bundle.trustdinfo.token).toBe('123456.1234567890123456')
})

test('an old bundle with an AES-CBC secret and an ECDSA service account key is read and kept', () => {
  const { secretboxencryptionsecret: secret, bootstraptoken } = bundle.secrets
  const old = { ...bundle, secrets: { bootstraptoken, ...(secret ? { aescbcencryptionsecret: secret } : {}) } }
  expect(parseSecretsFile(formatBundle(old), 'x').bundle).toEqual(old)
})

test('a cut off file names what is missing and gives no value away', () => {
  const text = formatBundle(bundle)
  const cut = text.slice(0, text.indexOf('    k8saggregator:'))
  expect(() => parseSecretsFile(cut, 'secrets.yaml')).toThrow(
    /certs\.k8saggregator\.crt is missing.*certs\.os\.key is missing/,
  )
  expect(() => parseSecretsFile(cut, 'secrets.yaml')).not.toThrow(bundle.secrets.bootstraptoken)
})

test.each([
  ['an empty file', () => ''],
  ['a list', () => '- a\n'],
  ['broken YAML', () => 'cluster: {id: "x\n'],
  [
    'a half certificate',
    () =>
      formatBundle({
        ...bundle,
        certs: { ...bundle.certs, os: { ...bundle.certs.os, crt: bundle.certs.os.crt.slice(0, 200) } },
      }),
  ],
  ['a short cluster secret', () => formatBundle({ ...bundle, cluster: { id: 'x', secret: 'c2hvcnQ=' } })],
  [
    'both encryption secrets',
    () => formatBundle({ ...bundle, secrets: { ...bundle.secrets, aescbcencryptionsecret: bundle.cluster.secret } }),
  ],
  [
    'a key of another certificate',
    () =>
      formatBundle({
        ...bundle,
        certs: { ...bundle.certs, etcd: { ...bundle.certs.etcd, key: bundle.certs.k8s.key } },
      }),
  ],
])('%s is refused with what is wrong and what to do', (_, text) => {
  expect(() => parseSecretsFile(text(), 'secrets.yaml')).toThrow(
    expect.objectContaining({ code: 'secrets', where: expect.stringContaining('secrets.yaml') }),
  )
})

test('an RSA service account key of any size is kept', async () => {
  const key = Buffer.from(privateKeyPem(await generatePrivateKey('rsa4096'))).toString('base64')
  const rsa = { ...bundle, certs: { ...bundle.certs, k8sserviceaccount: { key } } }
  expect(parseSecretsFile(formatBundle(rsa), 'x').bundle).toEqual(rsa)
}, 60_000)

test('an alias that leads nowhere is a broken file, and its name is not repeated: it may be a key', () => {
  const broken = formatBundle(bundle).replace(/token: \S+/, 'token: *s3cret')
  expect(() => parseSecretsFile(broken, 'secrets.yaml')).toThrow('cut off or changed')
  expect(() => parseSecretsFile(broken, 'secrets.yaml')).not.toThrow('s3cret')
})

test('a key that is a mapping is not repeated in a warning', async () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => void warnings.push(message)
  process.on('warning', onWarning)
  expect(() => parseSecretsFile('? {s3cret: s3cret}\n: x\n', 'secrets.yaml')).toThrow('is missing')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})
