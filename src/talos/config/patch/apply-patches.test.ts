import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { renderConfig } from '../render.js'
import type { TalosMachine } from '../talos-machine.js'
import { aBundle, aLink, aMachine } from '../testdata/a-machine.js'
import { PatchError } from './patch-error.js'

const bundle = aBundle()

/** Patches at line 10 of their file, as an inline patch in an inventory would be. */
function patched(texts: readonly string[], changes: Partial<TalosMachine> = {}): Record<string, unknown>[] {
  const patches = texts.map((text, index) => ({ source: `patches/${index + 1}.yaml`, line: 10, text }))
  const documents = parseAllDocuments(renderConfig(aMachine({ ...changes, patches }), bundle))
  return Array.isArray(documents) ? documents.map((document) => document.toJS()) : []
}

function refusal(texts: readonly string[], changes: Partial<TalosMachine> = {}): PatchError {
  try {
    patched(texts, changes)
  } catch (thrown) {
    if (thrown instanceof PatchError) return thrown
    throw thrown
  }
  throw new Error('the patch was applied')
}

test('patches apply in order: the later one wins', () => {
  const [classic] = patched(['machine: {env: {A: "1", B: "1"}}', 'machine: {env: {A: "2"}}'])
  expect(classic).toMatchObject({ machine: { env: { A: '2', B: '1' } } })
})

test('a list grows and a subnet is replaced, by the rules of Talos', () => {
  const [classic] = patched(['machine: {certSANs: [b.lan]}\ncluster: {network: {podSubnets: [10.1.0.0/16]}}'], {
    certSans: ['a.lan'],
  })
  expect(classic).toMatchObject({
    machine: { certSANs: ['a.lan', 'b.lan'] },
    cluster: { network: { podSubnets: ['10.1.0.0/16'] } },
  })
})

test('text keeps the form in which it was written', () => {
  const [classic] = patched(['machine:\n  env:\n    VERSION: 1.10\n    MODE: 0644\n    FLAG: yes\n'])
  expect(classic).toMatchObject({ machine: { env: { VERSION: '1.10', MODE: '0644', FLAG: 'yes' } } })
})

test.each([
  { what: 'an unknown field', text: 'machine:\n  sysctl:\n    a: b\n', line: 11, message: 'machine.sysctl' },
  {
    what: 'an unknown field in a list',
    text: 'machine:\n  files:\n    - path: /a\n      mode: 1\n',
    line: 13,
    message: 'machine.files[0].mode',
  },
  {
    what: 'an unknown kind',
    text: 'machine: {}\n---\napiVersion: v1alpha1\nkind: NobodyConfig\n',
    line: 12,
    message: 'NobodyConfig',
  },
  { what: 'a value of another form', text: 'machine:\n  certSANs: a.lan\n', line: 11, message: 'machine.certSANs' },
  { what: 'text that is not YAML', text: 'machine:\n  env: a: b\n', line: 11, message: 'not YAML' },
  {
    what: 'a deletion of what is not there',
    text: 'machine:\n  sysctls:\n    a:\n      $patch: delete\n',
    line: 13,
    message: 'machine.sysctls.a',
  },
  {
    what: 'JSON operations on several documents',
    text: '- op: remove\n  path: /machine/env\n',
    line: 10,
    message: 'several',
  },
])('$what is an error with its file and line', ({ text, line, message }) => {
  const error = refusal([text])
  expect(error.where).toBe(`patches/1.yaml:${line}`)
  expect(error.message).toContain(message)
})

test('JSON operations apply to a config of one document', () => {
  const [classic] = patched(['- op: add\n  path: /machine/certSANs/-\n  value: a.lan\n'], { contract: 'v1.11' })
  expect(classic).toMatchObject({ machine: { certSANs: ['a.lan'] } })
})

test('a JSON operation that does not apply names the operation', () => {
  const error = refusal(['- op: remove\n  path: /machine/nothing\n'], { contract: 'v1.11' })
  expect(error.message).toContain('remove /machine/nothing')
})

test('what a younger Talos knows is refused by an older one', () => {
  const text = 'apiVersion: v1alpha1\nkind: KubeSpanConfig\nenabled: true\n'
  expect(refusal([text], { contract: 'v1.12', talosVersion: 'v1.12.7' }).message).toContain('KubeSpanConfig')
  expect(patched([text], { contract: 'v1.12', talosVersion: 'v1.13.9' })).toContainEqual(
    expect.objectContaining({ kind: 'KubeSpanConfig' }),
  )
})

test('a Talos that is newer than we know may know more than we do', () => {
  const documents = patched(['machine: {future: {a: 1}}', 'apiVersion: v1alpha1\nkind: FutureConfig\nb: 2\n'], {
    talosVersion: 'v1.20.0',
  })
  expect(documents[0]).toMatchObject({ machine: { future: { a: 1 } } })
  expect(documents).toContainEqual({ apiVersion: 'v1alpha1', kind: 'FutureConfig', b: 2 })
})

test.each([
  {
    what: 'a hostname beside the made-up one',
    text: 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n',
    contract: 'v1.13',
    message: '`auto: stable`',
  },
  {
    what: 'an old-style hostname in a config with documents',
    text: 'machine: {network: {hostname: x}}',
    contract: 'v1.13',
    message: 'HostnameConfig',
  },
  {
    what: 'an old-style kubelet in a 1.14 config',
    text: 'machine: {kubelet: {extraArgs: {v: "4"}}}',
    contract: 'v1.14',
    message: 'KubeletConfig',
  },
  {
    what: 'an old-style CNI in a 1.14 config',
    text: 'cluster: {network: {cni: {name: none}}}',
    contract: 'v1.14',
    message: 'KubeNetworkConfig',
  },
  {
    what: 'an install section in a 1.14 config',
    text: 'machine: {install: {disk: /dev/vda}}',
    contract: 'v1.14',
    message: 'UnattendedInstallConfig',
  },
])('$what is refused before a machine sees it', ({ text, contract, message }) => {
  const error = refusal([text], { contract })
  expect(error.message).toContain(message)
  expect(error.where).toMatch(/^patches\/1\.yaml:1\d$/)
})

test('variables are facts of the machine and what the inventory adds', () => {
  const [classic] = patched(
    [`machine:\n  env:\n    A: \${node.name}-\${node.ip}-\${ node.pool }\n    B: $\${KEPT}\n`],
    {
      links: [aLink()],
      variables: { 'node.pool': 'gpu' },
    },
  )
  expect(classic).toMatchObject({ machine: { env: { A: 'dev-cp-1-10.0.10.11-gpu', B: `\${KEPT}` } } })
})

test('a variable without a value is an error at its line that lists the known ones', () => {
  const error = refusal([`machine:\n  env:\n    A: \${node.nmae}\n`])
  expect(error.where).toBe('patches/1.yaml:12')
  expect(error.fix).toContain('node.name')
})

test('an empty patch changes nothing', () => {
  expect(patched(['---\n# nothing\n'])).toEqual(patched([]))
})
