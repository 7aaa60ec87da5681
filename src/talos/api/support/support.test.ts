import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fake } from '../../../../tests/support/fake.js'
import { maskSecrets } from '../../config/mask-secrets.js'
import type { EtcdStatus, TalosNode } from '../port.js'
import { nodeReport, type SupportFile } from './node-report.js'
import { createSecretMask } from './secret-mask.js'
import { writeTarGz } from './tar.js'

const pem = '-----BEGIN ED25519 PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTn\n-----END ED25519 PRIVATE KEY-----'
const key = Buffer.from(pem).toString('base64')
const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----').toString('base64')
const config = `# the old password was swordfish
version: v1alpha1
machine:
  token: abcdef.0123456789abcdef
  ca:
    crt: ${certificate}
    key: ${key}
  nodeLabels:
    zone: a
  env:
    API_ADDRESS: env-value-1
  files:
    - path: /var/etc/app.conf
      content: file-value-2
  registries:
    config:
      reg.example:
        auth:
          username: robot
          password: hunter22
cluster:
  id: Zm9vYmFyYmF6Zm9vYmFyYmF6
  secret: c2VjcmV0c2VjcmV0c2VjcmV0
  inlineManifests:
    - name: creds
      contents: |
        kind: Secret
        stringData: {user: paul}
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: dev-cp-1
---
apiVersion: v1alpha1
kind: ExtensionServiceConfig
name: tailscale
environment: [TS_AUTHKEY=extension-value-3]
configFiles:
  - mountPath: /etc/x
    content: extension-value-4
---
apiVersion: v1alpha1
kind: SideroLinkConfig
apiUrl: grpc://omni.example/?jointoken=join-value-5
---
apiVersion: v1alpha1
kind: SomethingOfTomorrowConfig
knob: unknown-value-6
---
apiVersion: v1alpha1
kind: KmsgLogConfig
name: remote
url: tcp://user:url-value-7@10.0.0.1:5044/
`
const secrets = [
  'abcdef.0123456789abcdef',
  key,
  'hunter22',
  'c2VjcmV0c2VjcmV0c2VjcmV0',
  'paul',
  'swordfish',
  'env-value-1',
  'file-value-2',
  'extension-value-3',
  'extension-value-4',
  'join-value-5',
  'unknown-value-6',
  'url-value-7',
  'MC4CAQAwBQYDK2VwBCIEINTn',
]

test('a machine config loses its secrets and nothing else', () => {
  const masked = createSecretMask(maskSecrets).maskConfig(config)
  for (const secret of secrets) expect(masked).not.toContain(secret)
  for (const kept of [
    certificate,
    'API_ADDRESS',
    'kind: ExtensionServiceConfig',
    'name: tailscale',
    'mountPath: /etc/x',
    'zone: a',
    'robot',
    'hostname: dev-cp-1',
    'kind: HostnameConfig',
  ]) {
    expect(masked).toContain(kept)
  }
})

test('a config that cannot be read is not shown at all', () => {
  expect(createSecretMask(maskSecrets).maskConfig('token: [hunter22')).toBe('******')
})

test('what is known from the bundle or a config is masked in any text, and keys by their looks', () => {
  const mask = createSecretMask(maskSecrets)
  mask.learn({ certs: { os: { crt: certificate, key } }, trustdinfo: { token: 'bundle-token-123' } })
  const log = `token bundle-token-123 seen\n${pem}\nkey=${key}\njoin with aaaaaa.bbbbbbbbbbbbbbbb\n`
  const masked = mask.maskText(log)
  expect(masked).toBe('token ****** seen\n******\nkey=******\njoin with ******\n')
  expect(createSecretMask(maskSecrets).maskText(`x ${key} y`)).toBe('x ****** y')
  expect(mask.maskText('talos.config.inline=KLUv/abc console=ttyS0')).toBe('talos.config.inline=****** console=ttyS0')
})

function talkativeNode(): TalosNode {
  const say = async function* (text: string) {
    yield Buffer.from(text)
  }
  return fake<TalosNode>({
    version: async () => ({ tag: 'v1.13.9', platform: 'nocloud', mode: 'cloud', arch: 'amd64' }),
    services: async () => [{ id: 'etcd', state: 'Running', healthy: true, message: '' }],
    dmesg: () => say('kernel says abcdef.0123456789abcdef and extension-value-4'),
    logs: () => say('etcd says c2VjcmV0c2VjcmV0c2VjcmV0'),
    etcd: { members: async () => [], status: async () => fake<EtcdStatus>({ member: 'a1' }), alarms: async () => [] },
    resources: {
      machineConfig: async () => config,
      list: async (type: string) => {
        if (type.startsWith('Diagnostics')) throw new Error('not authorized')
        return [{ id: 'x', version: '1', spec: { type } }]
      },
    },
  })
}

test('a node report has no secret in any file, and lists what is missing', async () => {
  const files: SupportFile[] = []
  const report = nodeReport('dev-cp-1', talkativeNode(), createSecretMask(maskSecrets), new AbortController().signal)
  for await (const file of report) files.push(file)
  const all = files.map(({ text }) => text).join('\n')
  for (const secret of secrets) expect(all).not.toContain(secret)
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['dev-cp-1/machine-config.yaml', 'dev-cp-1/logs/etcd.log', 'dev-cp-1/etcd.yaml']),
  )
  expect(files.at(-1)).toEqual({
    path: 'dev-cp-1/not-reported.txt',
    text: 'resources/Diagnostics.runtime.talos.dev.yaml: not authorized\n',
  })
})

test('a bundle is read by tar, long names too, and only by its owner', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-test-'))
  const path = join(folder, 'support.tar.gz')
  const long = `${'node-with-a-long-name/'.repeat(5)}resources/${'x'.repeat(60)}.yaml`
  await writeTarGz(
    path,
    (async function* () {
      yield { path: 'dev-cp-1/version.yaml', text: 'tag: v1.13.9\n' }
      yield { path: long, text: 'ü'.repeat(700) }
    })(),
    new Date(0),
  )
  expect(execFileSync('tar', ['-tzf', path], { encoding: 'utf8' })).toBe(`dev-cp-1/version.yaml\n${long}\n`)
  expect(execFileSync('tar', ['-xzOf', path, long], { encoding: 'utf8' })).toBe('ü'.repeat(700))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await rm(folder, { recursive: true })
})
