import { createPrivateKey, webcrypto } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimClock, type SimClock } from '../core/clock.js'
import { createFaults, type Faults } from '../core/faults.js'
import { createLedger, type Ledger } from '../core/ledger.js'
import { createLabNetwork, type LabNetwork } from '../core/network.js'
import { createKubernetesKind } from './index.js'
import type { ClusterFacts, EtcdContent, KubeletOptions, KubernetesStore } from './seam.js'

export interface Pem {
  readonly crt: string
  readonly key: string
}

/** A running cluster for tests: one API server, any number of nodes, and an administrator's certificate. */
export interface TestCluster {
  readonly host: string
  readonly port: number
  readonly ca: Pem
  readonly admin: Pem
  readonly clock: SimClock
  readonly faults: Faults
  readonly ledger: Ledger
  readonly network: LabNetwork
  readonly store: KubernetesStore
  addNode(options: Partial<KubeletOptions> & { readonly nodeName: string }): ReturnType<KubernetesStore['startKubelet']>
  setQuorum(has: boolean): void
  /** A kubeconfig file in a private temporary folder. */
  writeKubeconfig(): string
  close(): Promise<void>
}

export interface TestClusterOptions {
  readonly speed?: number
  readonly facts?: Partial<ClusterFacts>
  readonly version?: string
  readonly snapshot?: unknown
  /** The content of an etcd that this cluster is recovered from. */
  readonly recovered?: EtcdContent
  readonly ca?: Pem
  readonly rendersUnknownCharts?: boolean
  readonly onKillCaller?: () => void
}

/** Test files run in parallel: each cluster uses its own port. */
const anyPort = 0

export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const clock = createSimClock({ speed: options.speed ?? 200 })
  const faults = createFaults()
  const ledger = createLedger()
  const network = createLabNetwork({ scopes: [], prefix: 60 })
  const ca = options.ca ?? (await makeCa())
  const { onKillCaller, rendersUnknownCharts } = options
  const dying = onKillCaller === undefined ? {} : { onKillCaller }
  const kind = createKubernetesKind({ clock, faults, ledger, rendersUnknownCharts, ...dying })
  const facts = { ...defaultFacts, ...options.facts }
  const { recovered, snapshot } = options
  const store = recovered === undefined ? kind.openStore(facts, snapshot) : kind.recoverStore(facts, recovered)
  let hasQuorum = true
  const address = '10.0.10.11'
  const server = await store.serveApi({
    network,
    address,
    port: anyPort,
    nodeName: 'cp-1',
    ca,
    certSans: [],
    version: options.version ?? 'v1.33.3',
    hasQuorum: () => hasQuorum,
  })
  const at = network.resolve(address, anyPort) ?? { host: '127.0.0.1', port: anyPort }
  const admin = await makeClientCertificate(ca, 'O=system:masters, CN=admin')
  return {
    ...at,
    ca,
    admin,
    clock,
    faults,
    ledger,
    network,
    store,
    addNode: (node) => store.startKubelet({ ...defaultKubelet, ...node }),
    setQuorum: (has) => {
      hasQuorum = has
    },
    writeKubeconfig: () => writeKubeconfig(at, ca, admin),
    close: async () => {
      await server.close()
      clock.stop()
    },
  }
}

const defaultFacts: ClusterFacts = {
  name: 'test',
  podSubnets: ['10.244.0.0/16'],
  serviceSubnets: ['10.96.0.0/12'],
  cni: 'flannel',
  kubeProxy: true,
  inlineManifests: [],
}

const defaultKubelet: Omit<KubeletOptions, 'nodeName'> = {
  role: 'worker',
  systemUuid: '00000000-0000-8000-8000-000000000001',
  addresses: ['10.0.10.21'],
  labels: {},
  taints: [],
  annotations: {},
  version: 'v1.33.3',
  talosVersion: 'v1.11.0',
  extensions: [],
  userVolumes: [],
  externalCloudProvider: false,
  rotateServerCertificates: false,
  canReachApi: () => true,
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A Kubernetes CA like Talos's. */
export async function makeCa(): Promise<Pem> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const keys = await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'O=kubernetes',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000 * 3650),
    keys,
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { crt: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

/** A client certificate from that CA; the organisations become groups. */
export async function makeClientCertificate(ca: Pem, subject: string): Promise<Pem> {
  const x509 = await import('@peculiar/x509')
  const keys = await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const issuer = new x509.X509Certificate(ca.crt)
  const der = createPrivateKey(ca.key).export({ type: 'pkcs8', format: 'der' })
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der, ecdsa, false, ['sign'])
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject,
    issuer: issuer.subject,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000 * 365),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ],
  })
  return { crt: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`
}

function writeKubeconfig({ host, port }: { host: string; port: number }, ca: Pem, admin: Pem): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin@test',
    clusters: [
      { name: 'test', cluster: { server: `https://${host}:${port}`, 'certificate-authority-data': base64(ca.crt) } },
    ],
    users: [
      {
        name: 'admin@test',
        user: { 'client-certificate-data': base64(admin.crt), 'client-key-data': base64(admin.key) },
      },
    ],
    contexts: [{ name: 'admin@test', context: { cluster: 'test', user: 'admin@test', namespace: 'default' } }],
  }
  const file = join(mkdtempSync(join(tmpdir(), 'ichor-kubeconfig-')), 'kubeconfig')
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}
