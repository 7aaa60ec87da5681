import { lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SecretsFile } from './bundle.js'
import { formatSecretsFile } from './bundle-file.js'
import { generateBundle } from './generate.js'
import { recipientOf } from './sops/age-keys.js'
import { openSecretsStore } from './store.js'
import { encryptSecrets } from './verbs.js'

let file: SecretsFile
let home: string
let folder: string
let reported: string[]
let env: Record<string, string>
const openStore = (options: { plain?: boolean; fileName?: string } = {}) =>
  openSecretsStore({ folder, env, notify: (text) => reported.push(text), ...options })
const keyFile = () => join(home, '.config/sops/age/keys.txt')
const sealedPath = () => join(folder, 'secrets.sops.yaml')

beforeAll(async () => {
  file = { bundle: await generateBundle('v1.6'), memory: { bootstrapped: false, contract: 'v1.6', values: {} } }
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ichor-home-'))
  folder = await mkdtemp(join(tmpdir(), 'ichor-inventory-'))
  env = { HOME: home }
  reported = []
})
afterEach(async () => {
  await rm(home, { recursive: true })
  await rm(folder, { recursive: true })
})

test('without an age key one is made at the usual place, for the user alone, and reported once', async () => {
  await openStore().create(file)
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
  expect((await stat(sealedPath())).mode & 0o777).toBe(0o600)
  expect(reported).toEqual([expect.stringContaining(keyFile())])
  expect(await openStore().find()).toMatchObject(file)
  expect(reported).toHaveLength(1)
})

test('the file gives no secret away and leaves nothing else behind', async () => {
  await openStore().create(file)
  const text = await readFile(sealedPath(), 'utf8')
  expect(text).not.toContain(file.bundle.secrets.bootstraptoken)
  expect(text).not.toContain(file.bundle.certs.os.key)
  expect(await readdir(folder)).toEqual(['secrets.sops.yaml'])
})

test('secrets are never overwritten, not even by the same', async () => {
  const store = openStore()
  await store.create(file)
  const before = await readFile(sealedPath(), 'utf8')
  await expect(store.create(file)).rejects.toThrow('There are secrets already.')
  expect(await readFile(sealedPath(), 'utf8')).toBe(before)
})

test('of many that create at once, one wins and the others fail', async () => {
  await openStore().create(file)
  await openStore().remove()
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => openStore().create(file)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('remembering changes only what is remembered, and the seal', async () => {
  await openStore().create(file)
  const before = (await readFile(sealedPath(), 'utf8')).split('\n')
  await openStore().remember({ bootstrapped: true })
  const after = (await readFile(sealedPath(), 'utf8')).split('\n')
  const changed = after.filter((line, index) => line !== before[index]).map((line) => line.trim().split(':')[0])
  expect(changed.filter((name) => name !== 'lastmodified')).toEqual(['bootstrapped', 'mac'])
  await openStore().remember({ values: { token: 'abc' } })
  await openStore().remember({ values: { other: 'def' } })
  const found = await openStore().find()
  expect(found).toMatchObject({
    ...file,
    memory: { ...file.memory, bootstrapped: true, values: { token: 'abc', other: 'def' } },
  })
})

test('what is remembered at once by several parts of a run is all remembered', async () => {
  const store = openStore()
  await store.create(file)
  const names = ['a', 'b', 'c', 'd', 'e']
  await Promise.all(names.map((name) => store.remember({ values: { [name]: name } })))
  expect(Object.keys((await store.find())?.memory.values ?? {})).toEqual(names)
})

test('rules for the real secrets do not keep a lab from its own', async () => {
  await writeFile(join(folder, '.sops.yaml'), 'creation_rules:\n  - path_regex: /prod/\n    age: age1x\n')
  await expect(openStore().create(file)).rejects.toThrow('None of the creation rules fits')
  const lab = openStore({ fileName: 'secrets.lab.sops.yaml' })
  await lab.create(file)
  expect(await lab.find()).toMatchObject(file)
})

test('nothing can be remembered where there are no secrets', async () => {
  await expect(openStore().remember({ bootstrapped: true })).rejects.toThrow('The cluster has no secrets file yet')
})

test('where nothing is, nothing is found, and no key is made for it', async () => {
  expect(await openStore().find()).toBeUndefined()
  await expect(stat(keyFile())).rejects.toThrow()
})

test('a wrong age key is named as the reason, with the recipient that is needed', async () => {
  await openStore().create(file)
  const key = /AGE-SECRET-KEY-\w+/.exec(await readFile(keyFile(), 'utf8'))?.[0] ?? ''
  await rm(keyFile())
  await openStore({ fileName: 'secrets.lab.sops.yaml' }).create(file)
  await expect(openStore().find()).rejects.toThrow(`The file is encrypted for ${await recipientOf(key)}.`)
  env.SOPS_AGE_KEY = key
  expect(await openStore().find()).toMatchObject(file)
})

test('plain secrets stand under a name that does not say sealed, for the user alone', async () => {
  await openStore({ plain: true }).create(file)
  expect(await readdir(folder)).toEqual(['secrets.yaml'])
  expect((await stat(join(folder, 'secrets.yaml'))).mode & 0o777).toBe(0o600)
  await openStore({ plain: true }).remember({ bootstrapped: true })
  expect((await openStore({ plain: true }).find())?.memory.bootstrapped).toBe(true)
  await expect(openStore().find()).rejects.toThrow('kept unencrypted')
  await expect(openStore().create(file)).rejects.toThrow('kept unencrypted')
})

test('plain secrets under an encrypted name are not used', async () => {
  await writeFile(sealedPath(), formatSecretsFile(file))
  await expect(openStore().find()).rejects.toThrow('These secrets are not encrypted')
  await encryptSecrets({ from: join(folder, 'secrets.yaml'), to: sealedPath() }, { env, notify: () => {} })
  expect(await openStore().find()).toMatchObject(file)
})

test.each([0.2, 0.5, 0.9])('a sealed file of which %d is left is not taken for anything else', async (part) => {
  await openStore().create(file)
  const text = await readFile(sealedPath(), 'utf8')
  await writeFile(sealedPath(), text.slice(0, text.length * part))
  await expect(openStore().find()).rejects.toThrow(/truncated or changed/)
})

test('what looks like a number and was left unencrypted stays as it was written', async () => {
  const plain = formatSecretsFile(file).replace(/^( +id:).*$/m, '$1 1.20')
  await writeFile(join(folder, 'secrets.yaml'), plain)
  const keys = { env: { ...env, SOPS_AGE_RECIPIENTS: await aRecipient() }, notify: () => {} }
  await writeFile(join(folder, '.sops.yaml'), `creation_rules:\n  - unencrypted_regex: ^id$\n    age: age1x\n`)
  await encryptSecrets({ from: join(folder, 'secrets.yaml'), to: sealedPath() }, keys)
  expect(await readFile(sealedPath(), 'utf8')).toContain('id: 1.20\n')
  expect((await openStore().find())?.bundle.cluster.id).toBe('1.20')
})

async function aRecipient(): Promise<string> {
  await openStore({ fileName: 'secrets.lab.sops.yaml' }).create(file)
  return recipientOf(/AGE-SECRET-KEY-\w+/.exec(await readFile(keyFile(), 'utf8'))?.[0] ?? '')
}

test('an unrelated file named secrets.yaml is not treated as ours', async () => {
  await writeFile(join(folder, 'secrets.yaml'), 'kind: Secret\n')
  await openStore().create(file)
  expect(await openStore().find()).toMatchObject(file)
})

test('the recipients are those of the sealed file; a plain one has none', async () => {
  await openStore().create(file)
  const key = /AGE-SECRET-KEY-\w+/.exec(await readFile(keyFile(), 'utf8'))?.[0] ?? ''
  expect((await openStore().find())?.recipients).toEqual([await recipientOf(key)])
  await rm(sealedPath())
  await openStore({ plain: true }).create(file)
  expect((await openStore({ plain: true }).find())?.recipients).toBeUndefined()
})

test('a secrets file that is a link stays one: what is remembered goes into the real file, and removal leaves no keys', async () => {
  await openStore().create(file)
  const real = join(home, 'kept-elsewhere.yaml')
  await rename(sealedPath(), real)
  await symlink(real, sealedPath())
  await openStore().remember({ values: { note: 'new' } })
  expect((await lstat(sealedPath())).isSymbolicLink()).toBe(true)
  expect(await readFile(real, 'utf8')).toContain('note: ENC[')
  await openStore().remove()
  expect([await readdir(folder), await readdir(home)]).toEqual([[], ['.config']])
})
