import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CaKind, createCa } from '../../pki/ca.js'
import { readPrivateKey } from '../../pki/private-key.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { adminCertificate, type ClientCertificate, clientCertificate } from './client-certificate.js'
import { adminKubeconfig, clusterNameFor, findAdminCertificate, mergeKubeconfig } from './kubeconfig.js'
import { contextNameFor, findContextCertificate, mergeTalosconfig, talosconfig } from './talosconfig.js'

const now = new Date('2026-11-15T12:00:00Z')
let bundle: SecretsBundle
let certificate: ClientCertificate
const context = (name: string) => ({ name, endpoints: ['10.0.10.11', '10.0.10.12'], certificate })

beforeAll(async () => {
  bundle = await aBundle(now)
  certificate = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 8760, now })
})

test.each([
  { roles: ['os:admin'], subject: 'O=os:admin' },
  { roles: ['os:reader'], subject: 'O=os:reader' },
  { roles: ['os:operator', 'os:etcd:backup'], subject: 'O=os:operator + O=os:etcd:backup' },
] as const)('a client with $roles is let in by the Talos CA, for as long as was asked', async ({ roles, subject }) => {
  const issued = await clientCertificate(bundle, { roles, lifetimeHours: 12, now })
  const parsed = new X509Certificate(issued.crt)
  expect(parsed.verify(new X509Certificate(issued.ca).publicKey)).toBe(true)
  expect(parsed.subject).toBe(subject)
  expect(parsed.issuer).toBe('O=talos')
  expect(new Date(parsed.validTo)).toEqual(new Date('2026-11-16T00:00:00Z'))
  expect(parsed.checkPrivateKey(readPrivateKey(issued.key))).toBe(true)
})

test('the Kubernetes administrator is an administrator', async () => {
  const parsed = new X509Certificate((await adminCertificate(bundle, { lifetimeHours: 1, now })).crt)
  expect(parsed.subject).toBe('O=system:masters\nCN=admin')
  expect(parsed.issuer).toBe('O=kubernetes')
})

test('a talosconfig has the keys that talosctl reads, with whole PEM texts in base64', () => {
  const { context: current, contexts } = parse(talosconfig(context('dev')))
  expect(current).toBe('dev')
  expect(contexts.dev.endpoints).toEqual(['10.0.10.11', '10.0.10.12'])
  expect(Buffer.from(contexts.dev.crt, 'base64').toString()).toBe(certificate.crt)
  expect(Buffer.from(contexts.dev.key, 'base64').toString()).toBe(certificate.key)
  expect(Buffer.from(contexts.dev.ca, 'base64').toString()).toBe(certificate.ca)
})

const othersTalosconfig = `# my clusters
context: home
contexts:
    # do not touch
    home:
        endpoints:
            - 192.168.1.2 # the old one
        ca: YQ==
        crt: Yg==
        key: Yw==
    dev:
        endpoints: []
        crt: b2xk
        proxy-url: socks5://127.0.0.1:1080
`

test("merging keeps the user's other contexts, comments, current context and own settings", () => {
  const merged = mergeTalosconfig(othersTalosconfig, context('dev'), { where: 'config' })
  expect(merged.startsWith(othersTalosconfig.slice(0, othersTalosconfig.indexOf('    dev:')))).toBe(true)
  const { context: current, contexts } = parse(merged)
  expect(current).toBe('home')
  expect(contexts.dev['proxy-url']).toBe('socks5://127.0.0.1:1080')
  expect(contexts.dev.endpoints).toEqual(['10.0.10.11', '10.0.10.12'])
  expect(findContextCertificate(merged, 'dev', 'config')).toBe(certificate.crt)
})

test('merging twice is merging once', () => {
  const once = mergeTalosconfig(othersTalosconfig, context('new'), { where: 'config', makeCurrent: true })
  expect(mergeTalosconfig(once, context('new'), { where: 'config', makeCurrent: true })).toBe(once)
  expect(parse(once).context).toBe('new')
})

test("a name that stands for another cluster's CA gets a number, and our own is found again", () => {
  expect(contextNameFor(undefined, context('home'), 'config')).toBe('home')
  const name = contextNameFor(othersTalosconfig, context('home'), 'config')
  expect(name).toBe('home-1')
  const merged = mergeTalosconfig(othersTalosconfig, context(name), { where: 'config' })
  expect(parse(merged).contexts.home.ca).toBe('YQ==')
  expect(contextNameFor(merged, context('home'), 'config')).toBe('home-1')
})

test.each(['context: [', '- a list', 'contexts: text'])('a file such as %j is refused, not replaced', (text) => {
  expect(() => mergeTalosconfig(text, context('dev'), { where: 'config' })).toThrow('it was left as it is')
})

test('an admin kubeconfig has the names that Talos gives', async () => {
  const options = { endpoint: 'https://10.0.10.10:6443', clusterName: 'dev', lifetimeHours: 8760, now }
  const { text, certificate: admin } = await adminKubeconfig(bundle, options)
  const config = parse(text)
  expect(config).toMatchObject({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin@dev',
    contexts: [{ name: 'admin@dev', context: { cluster: 'dev', namespace: 'default', user: 'admin@dev' } }],
    clusters: [{ name: 'dev', cluster: { server: 'https://10.0.10.10:6443' } }],
  })
  expect(findAdminCertificate(text, 'dev', 'x')).toBe(admin.crt)
})

test("merging a kubeconfig keeps the user's other clusters, comments and own settings", () => {
  const existing = `apiVersion: v1
kind: Config
clusters:
    - name: work # with care
      cluster:
        server: https://work
    - name: dev
      cluster:
        server: https://old
        tls-server-name: kept
contexts: []
users: null
current-context: work
`
  const access = { clusterName: 'dev', endpoint: 'https://new', certificate }
  const merged = mergeKubeconfig(existing, access, { where: 'config' })
  expect(merged).toContain('- name: work # with care')
  expect(parse(merged)).toMatchObject({
    'current-context': 'work',
    clusters: [{ name: 'work' }, { name: 'dev', cluster: { server: 'https://new', 'tls-server-name': 'kept' } }],
    users: [{ name: 'admin@dev' }],
    contexts: [{ name: 'admin@dev' }],
  })
  expect(mergeKubeconfig(merged, access, { where: 'config' })).toBe(merged)
})

test('a cluster name that stands for another CA gets a number in a kubeconfig, too', () => {
  const access = { clusterName: 'dev', endpoint: 'https://new', certificate }
  const ours = mergeKubeconfig(undefined, access, { where: 'config' })
  expect(clusterNameFor(ours, access, 'config')).toBe('dev')
  const theirs = ours.replace(/certificate-authority-data: .*/, 'certificate-authority-data: b3RoZXI=')
  expect(clusterNameFor(theirs, access, 'config')).toBe('dev-1')
})

/** A bundle for these tests: real CAs, but no slow RSA key. */
async function aBundle(now: Date): Promise<SecretsBundle> {
  const ca = async (kind: CaKind) => {
    const { crt, key } = await createCa(kind, { now })
    return { crt: Buffer.from(crt).toString('base64'), key: Buffer.from(key).toString('base64') }
  }
  const [etcd, k8s, k8saggregator, os] = await Promise.all([ca('etcd'), ca('k8s'), ca('k8saggregator'), ca('os')])
  return {
    cluster: { id: 'id', secret: 'secret' },
    secrets: { bootstraptoken: 'abcdef.0123456789abcdef' },
    trustdinfo: { token: 'abcdef.0123456789abcdef' },
    certs: { etcd, k8s, k8saggregator, k8sserviceaccount: { key: etcd.key }, os },
  }
}

test('a file that is something else is left alone', () => {
  const inventory = 'cluster_name: dev\nnetwork:\n  cidr: 10.0.10.0/24\n'
  const access = { clusterName: 'dev', endpoint: 'https://10.0.10.5:6443', certificate }
  expect(() => mergeKubeconfig(inventory, access, { where: 'cluster.yaml' })).toThrow('not a configuration')
  expect(() => mergeTalosconfig(inventory, context('dev'), { where: 'cluster.yaml' })).toThrow('not a configuration')
})

test('the layout of a file stays as kubectl wrote it', () => {
  const written = `apiVersion: v1
clusters:
- cluster:
    server: https://other:6443
  name: other
contexts:
- context:
    cluster: other
    user: me
  name: other
current-context: other
kind: Config
users:
- name: me
  user:
    token: abc
`
  const access = { clusterName: 'dev', endpoint: 'https://10.0.10.5:6443', certificate }
  const merged = mergeKubeconfig(written, access, { where: 'config' })
  expect(merged).toContain('clusters:\n- cluster:\n    server: https://other:6443\n  name: other\n- name: dev\n')
  expect(merged).toContain('users:\n- name: me\n  user:\n    token: abc\n')
})

test('a new talosconfig is the same whether it is printed or merged into nothing', () => {
  const one = { ...context('dev'), nodes: ['10.0.10.11', 'fd00::1'] }
  expect(talosconfig(one)).toBe(mergeTalosconfig(undefined, one, { where: 'config' }))
})

test('a kubeconfig that calls ichor holds no key; going back and forth leaves nothing of the other kind', () => {
  const access = { clusterName: 'dev', endpoint: 'https://10.0.10.10:6443', certificate }
  const exec = { command: 'ichor', args: ['credential', '-i', '/clusters/dev'] }
  const userIn = (text: string) => parse(text).users[0].user
  const withKey = mergeKubeconfig(undefined, access, { where: 'kubeconfig' })
  const calling = mergeKubeconfig(withKey, { ...access, exec }, { where: 'kubeconfig' })
  expect(userIn(calling)).toEqual({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      ...exec,
      interactiveMode: 'IfAvailable',
      installHint: 'ichor makes the certificate: npm install --global @ichor-talos/ichor',
    },
  })
  expect(Object.keys(userIn(mergeKubeconfig(calling, access, { where: 'kubeconfig' })))).toEqual([
    'client-certificate-data',
    'client-key-data',
  ])
})
