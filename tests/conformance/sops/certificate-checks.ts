import { strict as assert } from 'node:assert'
import { createSelfSignedCa, issueCertificate, type KeyPair } from '../../../src/pki/certificate.js'
import { readPrivateKey } from '../../../src/pki/private-key.js'
import type { SecretsBundle } from '../../../src/secrets/bundle.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { adminCertificate, clientCertificate, talosRoles } from '../../../src/talos/clientconfig/client-certificate.js'
import type { Check } from './check.js'
import type { Workshop } from './workshop.js'

interface Judged {
  readonly name: string
  readonly ca: KeyPair
  readonly leaf?: KeyPair
  readonly organizations: readonly string[]
  readonly commonName?: string
  readonly hours: number
}

const pem = (text: string) => Buffer.from(text, 'base64').toString()
const pair = ({ crt, key }: { crt: string; key: string }): KeyPair => ({ crt: pem(crt), key: pem(key) })
const now = new Date()

async function everyCertificate(): Promise<Judged[]> {
  const bundle = await generateBundle('v1.6')
  return [...authorities(bundle), ...(await clients(bundle)), ...(await otherKinds())]
}

function authorities({ certs }: SecretsBundle): Judged[] {
  const hours = 87_600
  return [
    { name: 'os', ca: pair(certs.os), organizations: ['talos'], hours },
    { name: 'etcd', ca: pair(certs.etcd), organizations: ['etcd'], hours },
    { name: 'k8s', ca: pair(certs.k8s), organizations: ['kubernetes'], hours },
    { name: 'aggregator', ca: pair(certs.k8saggregator), organizations: [], hours },
  ]
}

async function clients(bundle: SecretsBundle): Promise<Judged[]> {
  const os = pair(bundle.certs.os)
  const single = talosRoles.map(async (role) => {
    const leaf = await clientCertificate(bundle, { roles: [role], lifetimeHours: 12, now })
    return { name: role, ca: os, leaf, organizations: [role], hours: 12 }
  })
  const all = await clientCertificate(bundle, { roles: talosRoles, lifetimeHours: 8760, now })
  const admin = await adminCertificate(bundle, { lifetimeHours: 8760, now })
  return [
    ...(await Promise.all(single)),
    { name: 'all roles', ca: os, leaf: all, organizations: [...talosRoles].sort(), hours: 8760 },
    {
      ...{ name: 'admin', ca: pair(bundle.certs.k8s), leaf: admin, hours: 8760 },
      ...{ organizations: ['system:masters'], commonName: 'admin' },
    },
  ]
}

/** Authorities that a user may bring along. */
function otherKinds(): Promise<Judged[]> {
  const kinds = ['ed25519', 'p256', 'rsa4096'] as const
  return Promise.all(
    kinds.map(async (keyKind) => {
      const ca = await createSelfSignedCa({ keyKind, organizations: ['mine'], lifetimeHours: 100, now })
      const subject = { organizations: ['os:admin'] }
      const leaf = await issueCertificate({
        ...{ ca, subject, lifetimeHours: 10, now },
        keyUsages: ['digital-signature'],
        extendedKeyUsages: ['client'],
      })
      return { name: `client of ${keyKind}`, ca, leaf, organizations: ['os:admin'], hours: 10 }
    }),
  )
}

const foreignKeys: Readonly<Record<string, readonly string[]>> = {
  ed25519: ['-newkey', 'ed25519'],
  'P-384': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'RSA 2048': ['-newkey', 'rsa:2048'],
}

/** Clients of authorities that OpenSSL made, with names that are not plain ASCII. */
async function clientsOfForeignAuthorities(shop: Workshop): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const [name, keyOptions] of Object.entries(foreignKeys)) {
    const files = ['-keyout', 'foreign.key', '-out', 'foreign.pem']
    const words = ['-utf8', '-subj', '/O=Žižkov/CN=root', '-addext', 'keyUsage=critical,keyCertSign']
    shop.run('openssl', ['req', '-x509', '-nodes', ...words, ...keyOptions, ...files])
    const ca = { crt: await shop.read('foreign.pem'), key: await shop.read('foreign.key') }
    const leaf = await issueCertificate({
      ...{ ca, subject: { organizations: ['os:reader'] }, lifetimeHours: 10, now },
      keyUsages: ['digital-signature'],
      extendedKeyUsages: ['client'],
    })
    judged.push({ name: `client of OpenSSL's ${name}`, ca, leaf, organizations: ['os:reader'], hours: 10 })
  }
  return judged
}

function judgeWithGo(shop: Workshop, judged: readonly Judged[]): void {
  const lines = judged.map(({ name, ca, leaf, organizations, commonName, hours }) =>
    JSON.stringify({
      ...{ name, organizations, hours, authority: ca.crt, authorityKey: ca.key },
      ...{ leaf: leaf?.crt ?? '', leafKey: leaf?.key ?? '', commonName: commonName ?? '' },
    }),
  )
  shop.run('verifier', [], lines.join('\n'))
}

async function judgeWithOpenSsl(shop: Workshop, { ca, leaf, name }: Judged): Promise<void> {
  await shop.write('ca.pem', ca.crt)
  await shop.write('leaf.pem', (leaf ?? ca).crt)
  const key = readPrivateKey((leaf ?? ca).key).export({ type: 'pkcs8', format: 'pem' })
  await shop.write('leaf.key', String(key))
  shop.run('openssl', ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile', 'ca.pem', 'leaf.pem'])
  const ofCertificate = shop.run('openssl', ['x509', '-in', 'leaf.pem', '-pubkey', '-noout'])
  assert.equal(shop.run('openssl', ['pkey', '-in', 'leaf.key', '-pubout']), ofCertificate, `the key of ${name} differs`)
}

export const certificateChecks: readonly Check[] = [
  {
    title: 'Go accepts every authority and every client certificate as what it is',
    run: async (shop) => judgeWithGo(shop, await everyCertificate()),
  },
  {
    title: 'Go and OpenSSL accept clients of authorities that OpenSSL made',
    run: async (shop) => {
      const judged = await clientsOfForeignAuthorities(shop)
      judgeWithGo(shop, judged)
      for (const one of judged) await judgeWithOpenSsl(shop, one)
    },
  },
  {
    title: 'OpenSSL verifies every chain, and every key belongs to its certificate',
    run: async (shop) => {
      for (const judged of await everyCertificate()) await judgeWithOpenSsl(shop, judged)
    },
  },
]
