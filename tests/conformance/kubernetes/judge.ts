import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { generateBundle } from '../../../src/secrets/generate.js'
import { makeServingRequest } from '../../../src/simulator/kubernetes/api/certificates.js'
import { makeClientCertificate, startTestCluster } from '../../../src/simulator/kubernetes/testing.js'
import { adminKubeconfig } from '../../../src/talos/clientconfig/kubeconfig.js'
import { type Checks, startChecks } from '../../real-clients/kubectl/check.js'
import { tellHelmStories } from './helm-stories.js'
import { startRealApiServer } from './real-api-server.js'
import { type Story, stories } from './stories.js'
import { create, type Subject, signal, subjectAt, until, wallClock } from './subject.js'

const tools = process.argv[2] ?? '.'
const checks = startChecks()

/** What a kubelet does on its own: it registers its node and asks for a certificate. */
async function actAsKubelet(real: Subject, asKubelet: Subject): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'wk-1' } }
  await create(real, '/api/v1/nodes', node)
  const request = Buffer.from(await makeServingRequest('wk-1', ['10.0.10.21'])).toString('base64')
  await create(asKubelet, '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { generateName: 'csr-' },
    spec: { signerName: 'kubernetes.io/kubelet-serving', request, usages: ['digital signature', 'server auth'] },
  })
}

async function resultOf(story: Story, subject: Subject): Promise<unknown> {
  try {
    return await story.tell(subject)
  } catch (error) {
    return `${subject.label} threw: ${error instanceof Error ? error.message : error}`
  }
}

async function compare(story: Story, real: Subject, simulated: Subject, into: Checks): Promise<void> {
  const [one, other] = [await resultOf(story, real), await resultOf(story, simulated)]
  const threw = [one, other].find((value) => typeof value === 'string' && value.includes(' threw: '))
  const isExpected = !('expect' in story) || isDeepStrictEqual(one, story.expect)
  const isSame = isDeepStrictEqual(one, other)
  const [first, second] = differing(one, other)
  into.check(
    story.title,
    isSame && isExpected && threw === undefined,
    `real:      ${JSON.stringify(first)}
simulated: ${JSON.stringify(second)}`,
  )
}

/** Of two maps, only the entries that differ: the rest would hide them. */
function differing(one: unknown, other: unknown): [unknown, unknown] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return [one, other]
  const keys = Object.keys({ ...one, ...other }).filter(
    (key) => !isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key)),
  )
  const pick = (from: object) => Object.fromEntries(keys.map((key) => [key, Reflect.get(from, key)]))
  return keys.length === 0 ? [one, other] : [pick(one), pick(other)]
}

const bundle = await generateBundle('v1.13')
const pem = (text: string) => Buffer.from(text, 'base64').toString()
const ca = { crt: pem(bundle.certs.k8s.crt), key: pem(bundle.certs.k8s.key) }
const server = await startRealApiServer(tools, ca)
const cluster = await startTestCluster({ speed: 100, version: 'v1.36.3', ca, facts: { cni: 'none', kubeProxy: false } })
try {
  const endpoint = `https://${server.host}:${server.port}`
  const { text, certificate } = await adminKubeconfig(bundle, {
    endpoint,
    clusterName: 'judge',
    lifetimeHours: 1,
    now: new Date(),
  })
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'ichor-judge-')), 'kubeconfig')
  writeFileSync(kubeconfig, text, { mode: 0o600 })

  const real = subjectAt('real', server, certificate, wallClock)
  const simClock = {
    now: () => cluster.clock.now(),
    monotonic: () => cluster.clock.now(),
    sleep: (ms: number, abort: AbortSignal) => cluster.clock.sleep(ms, abort),
  }
  const simulated = subjectAt('simulated', cluster, certificate, simClock)
  await checks.attempt('the real API server takes our certificate', async () => {
    const version = await real.api.version(signal)
    if (!/^v\d+\.\d+/.test(version)) throw new Error(version)
  })

  const kubelet = await makeClientCertificate(ca, 'O=system:nodes, CN=system:node:wk-1')
  await actAsKubelet(real, subjectAt('real', server, { ca: ca.crt, ...kubelet }, wallClock))
  cluster.addNode({ nodeName: 'wk-1', addresses: ['10.0.10.21'], rotateServerCertificates: true })
  await until('the simulated kubelet has asked', async () => (await simulated.api.pendingCsrs(signal)).length === 1)

  for (const story of stories) await compare(story, real, simulated, checks)
  await tellHelmStories(checks, real, join(tools, 'helm'), kubeconfig)
  await real.close()
  await simulated.close()
} finally {
  await cluster.close()
  await server.stop()
}
process.exit(checks.finish())
