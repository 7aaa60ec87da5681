import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatBundle } from './bundle-file.js'
import { generateBundle } from './generate.js'
import { makeAgeKey, recipientOf } from './sops/age-keys.js'
import { openSecretsStore } from './store.js'
import {
  decryptSecrets,
  describeSecrets,
  encryptSecrets,
  importSecrets,
  initSecrets,
  rekeySecrets,
  revealSecrets,
} from './verbs.js'

let folder: string
let home: string
let ring: { env: Record<string, string>; notify: () => void }
const store = () => openSecretsStore({ folder, ...ring })
const sealed = () => join(folder, 'secrets.sops.yaml')
const plain = () => join(folder, 'secrets.yaml')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-verbs-'))
  home = await mkdtemp(join(tmpdir(), 'ichor-home-'))
  ring = { env: { HOME: home }, notify: () => {} }
})
afterEach(async () => {
  await rm(folder, { recursive: true })
  await rm(home, { recursive: true })
})

test('init makes secrets once, show reports about them, and reveal reports them', async () => {
  const { bundle } = await initSecrets(store(), 'v1.6')
  await expect(initSecrets(store(), 'v1.6')).rejects.toThrow('There are secrets already.')
  const summary = await describeSecrets(store())
  expect(summary).toMatchObject({ location: sealed(), contract: 'v1.6', bootstrapped: false, values: [] })
  expect(summary.authorities.map(({ name }) => name)).toEqual(['os', 'k8s', 'etcd', 'k8saggregator'])
  expect(JSON.stringify(summary)).not.toContain(bundle.cluster.secret)
  expect(await revealSecrets(store())).toBe(formatBundle(bundle))
})

test('decrypt and encrypt turn one form into the other and keep comments', async () => {
  await initSecrets(store(), 'v1.6')
  await decryptSecrets({ from: sealed(), to: plain() }, ring)
  expect(await readdir(folder)).toEqual(['secrets.yaml'])
  const clear = `# ours\n${await readFile(plain(), 'utf8')}`
  await writeFile(plain(), clear)
  await encryptSecrets({ from: plain(), to: sealed() }, ring)
  expect(await readdir(folder)).toEqual(['secrets.sops.yaml'])
  await decryptSecrets({ from: sealed(), to: plain() }, ring)
  expect(await readFile(plain(), 'utf8')).toBe(clear)
})

test('encrypt refuses what is encrypted, and decrypt a file in the way', async () => {
  await initSecrets(store(), 'v1.6')
  await expect(encryptSecrets({ from: sealed(), to: plain() }, ring)).rejects.toThrow('encrypted already')
  await writeFile(plain(), 'mine')
  await expect(decryptSecrets({ from: sealed(), to: plain() }, ring)).rejects.toThrow('already exists')
  expect(await readFile(plain(), 'utf8')).toBe('mine')
})

test('rekey makes a new data key for the recipients that the rules name now', async () => {
  const { bundle } = await initSecrets(store(), 'v1.6')
  const mine = await recipientOf(await makeAgeKey({ HOME: home }, () => {}))
  const colleague = await recipientOf(await makeAgeKey({ HOME: join(home, 'other') }, () => {}))
  await writeFile(join(folder, '.sops.yaml'), `creation_rules:\n  - age: ${mine},${colleague}\n`)
  const before = await readFile(sealed(), 'utf8')
  await rekeySecrets(sealed(), ring)
  const after = await readFile(sealed(), 'utf8')
  expect(after).toContain(colleague)
  expect(before.split('\n').filter((line) => line.includes('ENC[') && after.includes(line))).toEqual([])
  ring.env.HOME = join(home, 'other')
  expect((await store().find())?.bundle).toEqual(bundle)
})

test('rules that would lock us out are refused before anything is written', async () => {
  const foreignVm = await recipientOf(await makeAgeKey({ HOME: join(home, 'other') }, () => {}))
  await writeFile(join(folder, '.sops.yaml'), `creation_rules:\n  - age: ${foreignVm}\n`)
  await expect(initSecrets(store(), 'v1.6')).rejects.toThrow('No age key was found')
  expect(await readdir(folder)).toEqual(['.sops.yaml'])
})

test('rules made for other files, which would leave the secrets clear, are refused', async () => {
  const mine = await recipientOf(await makeAgeKey({ HOME: home }, () => {}))
  await writeFile(
    join(folder, '.sops.yaml'),
    `creation_rules:\n  - age: ${mine}\n    encrypted_regex: ^(data|stringData)$\n`,
  )
  await expect(initSecrets(store(), 'v1.6')).rejects.toThrow(
    /would leave \d+ secrets unencrypted, cluster.secret among them/,
  )
})

test('import takes a bundle over once, and refuses that of another cluster', async () => {
  const bundle = await generateBundle('v1.6')
  const source = { text: formatBundle(bundle), where: 'secrets.yaml', memory: { bootstrapped: true } }
  expect(await importSecrets(store(), source, ring)).toBe('imported')
  expect(await importSecrets(store(), source, ring)).toBe('already-there')
  expect((await store().find())?.memory.bootstrapped).toBe(true)
  const other = { text: formatBundle(await generateBundle('v1.6')), where: 'other.yaml' }
  await expect(importSecrets(store(), other, ring)).rejects.toThrow('the secrets of another cluster')
})

test('import opens a bundle that sops encrypted', async () => {
  const { bundle } = await initSecrets(store(), 'v1.6')
  const text = await readFile(sealed(), 'utf8')
  const elsewhere = openSecretsStore({ folder: join(folder, 'elsewhere'), ...ring })
  expect(await importSecrets(elsewhere, { text, where: sealed() }, ring)).toBe('imported')
  expect((await elsewhere.find())?.bundle).toEqual(bundle)
})
