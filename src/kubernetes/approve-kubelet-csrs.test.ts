import { describe, expect, test } from 'vitest'
import { makeServingRequest } from '../simulator/kubernetes/api/certificates.js'
import { findObjection } from './approve-kubelet-csrs.js'
import type { KubernetesObject } from './port.js'

const expected = [{ name: 'wk-1', addresses: ['10.0.10.21', '2001:db8::21'] }]

interface ClusterSpec {
  readonly signerName?: string
  readonly username?: string
  readonly groups?: readonly string[]
  readonly usages?: readonly string[]
  readonly node?: string
  readonly addresses?: readonly string[]
}

async function csr({ node = 'wk-1', addresses = ['10.0.10.21'], ...spec }: ClusterSpec): Promise<KubernetesObject> {
  const request = Buffer.from(await makeServingRequest(node, addresses)).toString('base64')
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1' },
    spec: {
      signerName: 'kubernetes.io/kubelet-serving',
      username: 'system:node:wk-1',
      groups: ['system:nodes', 'system:authenticated'],
      usages: ['digital signature', 'server auth'],
      request,
      ...spec,
    },
  }
}

describe('a request for a serving certificate', () => {
  test.each<{ spec: ClusterSpec; objection: string | undefined; because: string }>([
    { spec: {}, objection: undefined, because: 'name and address are those of the machine' },
    { spec: { addresses: ['2001:0db8:0:0:0:0:0:21'] }, objection: undefined, because: 'IPv6 may be spelt in full' },
    {
      spec: { addresses: ['10.0.10.21', '10.0.10.99'] },
      objection: '10.0.10.99',
      because: 'one address is not its own',
    },
    {
      spec: { addresses: ['10.0.10.21', 'api.example.com'] },
      objection: 'api.example.com',
      because: 'one name is not its own',
    },
    { spec: { node: 'wk-2' }, objection: 'system:node:wk-2', because: 'the subject is another node' },
    {
      spec: { username: 'system:node:wk-9' },
      objection: 'no machine of this cluster',
      because: 'nobody knows that node',
    },
    { spec: { username: 'admin' }, objection: 'no machine of this cluster', because: 'a person asks' },
    { spec: { groups: ['system:authenticated'] }, objection: 'not in system:nodes', because: 'it is no node' },
    {
      spec: { signerName: 'kubernetes.io/kube-apiserver-client' },
      objection: 'not for kubernetes.io/kubelet-serving',
      because: 'it would log in with it',
    },
    {
      spec: { usages: ['digital signature', 'client auth'] },
      objection: 'client auth',
      because: 'it would log in with it',
    },
  ])('objection $objection: $because', async ({ spec, objection }) => {
    const found = await findObjection(await csr(spec), expected)
    if (objection === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(objection)
  })

  test('what cannot be read is left alone', async () => {
    const broken = await csr({})
    const spec = { ...(broken.spec as object), request: Buffer.from('nonsense').toString('base64') }
    expect(await findObjection({ ...broken, spec }, expected)).toBe('its request cannot be read')
  })

  test('what was not signed by its own key is left alone', async () => {
    const pem = Buffer.from(((await csr({})).spec as { request: string }).request, 'base64').toString()
    const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
    const whole = await csr({})
    const spec = { ...(whole.spec as object), request: Buffer.from(forged).toString('base64') }
    expect(await findObjection({ ...whole, spec }, expected)).toBe('its request cannot be read')
  })
})
