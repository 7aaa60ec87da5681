import { expect, test } from 'vitest'
import { aCluster } from '../testing/a-cluster.js'
import { ConfigUnreadable, parseMachineConfig } from './documents.js'
import { validateConfig } from './validate.js'

const cluster = aCluster()
const context = { talos: 'v1.13.9', platform: 'nocloud', isInstalled: true } as const
const problems = (text: string, more: object = {}) =>
  problemsOf(() => validateConfig(parseMachineConfig(Buffer.from(text)), { ...context, ...more }))

function problemsOf(validate: () => string[]): string[] {
  try {
    return validate()
  } catch (error) {
    if (error instanceof ConfigUnreadable) return [error.message]
    throw error
  }
}

const document = (kind: string, body = '') => `---\napiVersion: v1alpha1\nkind: ${kind}\n${body}`

test.each([
  { what: 'a control plane', text: cluster.config({ name: 'a' }) },
  { what: 'a worker', text: cluster.config({ role: 'worker' }) },
  { what: 'documents of its version', text: cluster.config({ extra: document('HostnameConfig', 'auto: stable\n') }) },
  { what: 'a partial config', text: document('HostnameConfig', 'hostname: a\nauto: off\n') },
])('$what is accepted', ({ text }) => {
  expect(problems(text)).toEqual([])
})

test.each([
  { why: 'an unknown key', text: cluster.config({ machine: { instal: {} } }), message: 'machine.instal' },
  { why: 'an unknown kind', text: document('HostConfig'), message: '"HostConfig" "v1alpha1": not registered' },
  { why: 'a kind of a later version', text: document('KubeletConfig'), message: 'not registered' },
  {
    why: 'a key of a later version',
    text: cluster.config({ machine: { install: { grubUseUKICmdline: true } } }),
    talos: 'v1.11.6',
    message: 'grubUseUKICmdline',
  },
  {
    why: 'two hostnames',
    text: cluster.config({ name: 'a', extra: document('HostnameConfig', 'auto: stable\n') }),
    message: 'static hostname is already set',
  },
  {
    why: 'a name that is fixed and made up',
    text: document('HostnameConfig', 'auto: stable\nhostname: a\n'),
    message: 'at the same time',
  },
  {
    why: 'both styles of one setting',
    text: cluster.config({ extra: document('KubeletConfig', 'image: x\n') }),
    talos: 'v1.14.1',
    message: 'KubeletConfig',
  },
  {
    why: 'a worker that holds the CA key',
    text: cluster.config({ role: 'worker', machine: { ca: { crt: 'Yw==', key: 'aw==' } } }),
    message: 'not allowed on non-controlplane',
  },
  {
    why: 'a control plane without the CA key',
    text: cluster.config({ machine: { ca: { crt: 'Yw==' } } }),
    message: 'CA key is required',
  },
  { why: 'a Kubernetes that is too new', text: cluster.config({ kubernetes: 'v1.37.0' }), message: 'too new' },
  { why: 'a Kubernetes that is too old', text: cluster.config({ kubernetes: 'v1.30.1' }), message: 'too old' },
  { why: 'discovery without an id', text: cluster.config({ cluster: { id: '' } }), message: 'cluster.id' },
  {
    why: 'kubelet settings that Talos owns',
    text: cluster.config({ machine: { kubelet: { extraConfig: { port: 1 } } } }),
    message: '"port"',
  },
])('$why is rejected', ({ text, talos, message }) => {
  expect(problems(text, talos === undefined ? {} : { talos }).join('\n')).toContain(message)
})

test('a metal machine that is not installed must be reported the disk, up to 1.13', () => {
  const text = cluster.config({ machine: { install: {} } })
  const metal = { platform: 'metal', isInstalled: false }
  expect(problems(text, metal).join()).toContain('install disk')
  expect(problems(text, { ...metal, talos: 'v1.14.1' })).toEqual([])
})

test.each([
  { why: 'broken YAML', text: 'machine: [' },
  { why: 'a document without kind', text: 'foo: bar\n' },
  { why: 'the same document twice', text: `${document('HostnameConfig')}${document('HostnameConfig')}` },
])('$why cannot be read', ({ text }) => {
  expect(() => parseMachineConfig(Buffer.from(text))).toThrow(ConfigUnreadable)
})
