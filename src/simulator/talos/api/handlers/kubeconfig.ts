import { gzipSync } from 'node:zlib'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { stringify } from 'yaml'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import type { ConfigFacts } from '../../config/config-facts.js'
import { issueCertificate } from '../../pki/issue-certificate.js'
import { controlPlaneOf } from '../call-context.js'

const hour = 3_600_000
const chunk = 1024

/** Credentials that a control plane creates on demand: for Kubernetes, and for Talos itself. */
export const credentialHandlers = {
  kubeconfig: async function* (_request, context) {
    const { facts } = controlPlaneOf(context)
    if (facts.kubernetesCa.key === '')
      throw new ConnectError('Kubernetes CA is not configured', Code.FailedPrecondition)
    const archive = gzipSync(unfinishedTar('kubeconfig', Buffer.from(kubeconfigOf(facts))))
    for (let at = 0; at < archive.length; at += chunk) yield { bytes: archive.subarray(at, at + chunk) }
  },
  generateClientConfiguration: ({ roles, crtTtl }, context) => {
    const { facts } = controlPlaneOf(context)
    const seconds = Number(crtTtl?.seconds ?? 0n)
    if (seconds <= 0) throw new ConnectError('crt_ttl should be positive', Code.InvalidArgument)
    const now = Date.now()
    const leaf = { usage: 'client', organizations: [...roles].sort() } as const
    const issued = issueCertificate(facts.osCa, {
      ...leaf,
      notBefore: new Date(now),
      notAfter: new Date(now + seconds * 1000),
    })
    const ca = [facts.osCa.crt, ...facts.acceptedOsCas].join('')
    const key = issued.key.replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY')
    const name = roles.length === 1 ? `${roles[0]}@${facts.clusterName}` : facts.clusterName
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const entry = { endpoints: [], ca: base64(ca), crt: base64(issued.crt), key: base64(key) }
    const talosconfig = Buffer.from(stringify({ context: name, contexts: { [name]: entry } }))
    return { messages: [{ ca: Buffer.from(ca), crt: Buffer.from(issued.crt), key: Buffer.from(key), talosconfig }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function kubeconfigOf(facts: ConfigFacts): string {
  const { clusterName: name, endpoint, kubernetesCa, acceptedKubernetesCas, adminCertLifetimeHours } = facts
  const notBefore = new Date(Date.now() - 10_000)
  const notAfter = new Date(Date.now() + adminCertLifetimeHours * hour)
  const subject = { commonName: 'admin', organizations: ['system:masters'] }
  const { crt, key } = issueCertificate(kubernetesCa, { ...subject, usage: 'client', notBefore, notAfter })
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const user = `admin@${name}`
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: endpoint,
          'certificate-authority-data': base64([kubernetesCa.crt, ...acceptedKubernetesCas].join('')),
        },
      },
    ],
    users: [{ name: user, user: { 'client-certificate-data': base64(crt), 'client-key-data': base64(key) } }],
    contexts: [{ name: user, context: { cluster: name, namespace: 'default', user } }],
    'current-context': user,
  })
}

/** Talos never closes its tar writer: there is no padding after the file and no end of the archive. */
function unfinishedTar(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${Math.floor(Date.now() / 1000).toString(8)}\0`, 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content])
}
