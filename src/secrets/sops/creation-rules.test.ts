import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCreationRule } from './creation-rules.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ichor-rules-'))
  await mkdir(join(root, 'inventory/dev'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const file = () => join(root, 'inventory/dev/secrets.sops.yaml')
const rules = (text: string) => writeFile(join(root, '.sops.yaml'), `creation_rules:\n${text}`)

test('the first rule whose expression fits the path from the rules file wins', async () => {
  await rules(`
  - path_regex: ^prod/
    age: age1prod
  - path_regex: inventory/.*/secrets\\.sops\\.yaml$
    age: age1one, age1two
    mac_only_encrypted: true
  - age: age1rest
`)
  expect(await findCreationRule(file())).toEqual({
    recipients: ['age1one', 'age1two'],
    selection: { unencrypted_suffix: '_unencrypted' },
    macOnlyEncrypted: true,
    source: join(root, '.sops.yaml'),
  })
})

test('the nearest rules file is taken', async () => {
  await rules('  - age: age1far\n')
  await writeFile(join(root, 'inventory/.sops.yaml'), 'creation_rules:\n  - age: age1near\n')
  expect((await findCreationRule(file()))?.recipients).toEqual(['age1near'])
})

test.each([
  ['a list', '  - age: [age1one, age1two]\n'],
  ['one key group', '  - key_groups:\n      - age: [age1one, age1two]\n'],
  ['a folded text', '  - age: >-\n      age1one,\n      age1two,\n'],
])('recipients may stand as %s', async (_, text) => {
  await rules(text)
  expect((await findCreationRule(file()))?.recipients).toEqual(['age1one', 'age1two'])
})

test('without rules there is no rule', async () => {
  await writeFile(join(root, '.sops.yaml'), 'stores: {}\n')
  expect(await findCreationRule(file())).toBeUndefined()
})

test.each([
  [
    'no rule that fits',
    '  - path_regex: ^prod/\n    age: age1\n',
    'None of the creation rules fits inventory/dev/secrets.sops.yaml',
  ],
  ['keys of another kind', '  - age: age1\n    pgp: ABCD\n', 'requires pgp'],
  ['several key groups', '  - key_groups: [{age: [a]}, {age: [b]}]\n', 'several key groups'],
  ['no recipient', '  - encrypted_regex: ^x$\n', 'names no age recipient'],
  [
    'two ways to select',
    '  - {age: a, encrypted_regex: x, encrypted_suffix: y}\n',
    'encrypted_suffix and encrypted_regex are both set',
  ],
  ['rules that are not YAML', '  - {age: a\n', 'not YAML'],
  ['an expression that makes no sense', '  - path_regex: "("\n    age: a\n', 'not a regular expression'],
])('%s is refused, naming the rules file', async (_, text, problem) => {
  await rules(text)
  await expect(findCreationRule(file())).rejects.toMatchObject({
    message: expect.stringContaining(problem),
    where: join(root, '.sops.yaml'),
  })
})
