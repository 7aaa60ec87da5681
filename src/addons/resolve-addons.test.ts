import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addonsSchema } from '../../tests/support/addons-schema.js'
import type { AddonContext } from './addon.js'
import { catalogue } from './catalogue.js'
import { loadReferences } from './custom.js'
import { installObjects } from './install-objects.js'
import { mergeValues } from './merge-values.js'
import { combineMachineNeeds } from './planned-addon.js'
import { type AddonsSettings, resolveAddons } from './resolve-addons.js'

const context: AddonContext = {
  clusterName: 'test',
  kubernetesVersion: 'v1.33.3',
  loadBalancer: [],
  controlPlanes: 3,
  workers: 2,
  proxmox: { endpoint: 'https://pve1:8006', insecure: false, region: 'lab', datastore: 'local-lvm' },
  secrets: {},
}

function plan(addons: Record<string, unknown>, given: Partial<AddonContext> = {}) {
  return resolveAddons(addonsSchema.parse(addons) as AddonsSettings, { ...context, ...given })
}

const names = (addons: Record<string, unknown>) => plan(addons).map(({ name }) => name)

describe('order', () => {
  test.each([
    { addons: { argocd: true, cilium: true }, order: ['cilium', 'argocd'], because: 'the network comes first' },
    {
      addons: { metrics_server: true },
      order: ['kubelet_csr_approver', 'metrics_server'],
      because: 'metrics need approved certificates',
    },
    {
      addons: { flux: true, prometheus_crds: true, proxmox_ccm: true },
      order: ['prometheus_crds', 'proxmox_ccm', 'flux'],
      because: 'GitOps starts on a working cluster',
    },
    { addons: { loki: true, longhorn: true }, order: ['longhorn', 'loki', 'vector'], because: 'logs want a volume' },
    { addons: { loki: { shipper: false } }, order: ['loki'], because: 'the site ships logs by itself' },
    {
      addons: {
        cilium: true,
        custom: [
          { name: 'b', inline: 'a: {}', after: ['a'] },
          { name: 'a', inline: 'b: {}' },
        ].map((one) => ({ ...one, inline: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}' })),
      },
      order: ['cilium', 'a', 'b'],
      because: 'custom addons wait for those that they name',
    },
  ])('$order: $because', ({ addons, order }) => {
    expect(names(addons)).toEqual(order)
  })

  test('addons that wait for each other are refused by name', () => {
    const inline = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}'
    expect(() =>
      plan({
        custom: [
          { name: 'a', inline, after: ['b'] },
          { name: 'b', inline, after: ['a'] },
        ],
      }),
    ).toThrow('a and b depend on each other')
  })
})

describe('what machines must be', () => {
  test.each([
    { addons: { cilium: true }, needs: { cni: 'none', kubeProxy: false } },
    { addons: { cilium: { kube_proxy_replacement: false } }, needs: { cni: 'none', kubeProxy: true } },
    { addons: { cilium: { values: { bpf: { masquerade: true } } } }, needs: { forwardsKubeDns: false } },
    {
      addons: { cilium: { values: { bpf: { hostLegacyRouting: true, masquerade: true } } } },
      needs: { forwardsKubeDns: true },
    },
    { addons: { metrics_server: true }, needs: { cni: 'flannel', rotateServerCertificates: true } },
    { addons: { proxmox_ccm: true }, needs: { externalCloudProvider: true } },
    {
      addons: { longhorn: { volume: 'data' } },
      needs: { extensions: ['siderolabs/iscsi-tools', 'siderolabs/util-linux-tools'], userVolumes: ['data'] },
    },
    {
      addons: {},
      needs: { cni: 'flannel', kubeProxy: true, rotateServerCertificates: false, externalCloudProvider: false },
    },
  ])('$addons', ({ addons, needs }) => {
    expect(combineMachineNeeds(plan(addons))).toMatchObject(needs)
  })
})

describe('the hash', () => {
  const hashOf = (addons: Record<string, unknown>, given: Partial<AddonContext> = {}) => plan(addons, given)[0]?.hash
  test.each([
    { what: 'the same request', one: { cert_manager: true }, other: { cert_manager: {} }, same: true },
    { what: 'other values', one: { cert_manager: true }, other: { cert_manager: { values: { a: 1 } } }, same: false },
    {
      what: 'another version',
      one: { cert_manager: true },
      other: { cert_manager: { version: 'v1.0.0' } },
      same: false,
    },
    {
      what: 'the order of keys',
      one: { cert_manager: { values: { a: 1, b: 2 } } },
      other: { cert_manager: { values: { b: 2, a: 1 } } },
      same: true,
    },
    {
      what: 'who manages it',
      one: { cert_manager: true },
      other: { cert_manager: { managed_by: 'gitops' } },
      same: true,
    },
  ])('$what: same is $same', ({ one, other, same }) => {
    expect(hashOf(one) === hashOf(other)).toBe(same)
  })

  test('a secret that changes is a change', () => {
    const with_ = (secret: string) => hashOf({ proxmox_ccm: true }, { secrets: { 'proxmox_ccm.token_secret': secret } })
    expect(with_('a')).not.toBe(with_('b'))
  })
})

test('default-deny policies are refused under a network that ignores them', () => {
  expect(() => plan({ network_policies: true })).toThrow('Flannel ignores NetworkPolicies')
  expect(names({ network_policies: true, cilium: true })).toEqual(['cilium', 'network_policies'])
})

describe('with prometheus_crds', () => {
  const monitored = [
    'cilium',
    'traefik',
    'ingress_nginx',
    'cert_manager',
    'longhorn',
    'metallb',
    'argocd',
    'flux',
    'loki',
    'metrics_server',
    'proxmox_ccm',
  ]

  test.each(monitored)('%s comes after the CRDs, and with a monitor', (name) => {
    const all = plan({ prometheus_crds: true, [name]: true })
    const order = all.map((one) => one.name)
    const planned = all.find((one) => one.name === name)
    expect(order.indexOf('prometheus_crds')).toBeLessThan(order.indexOf(name))
    expect(JSON.stringify(planned)).toMatch(/(service|pod)monitor"/i)
    const without = plan({ [name]: true }).find((one) => one.name === name)
    expect(JSON.stringify(without)).not.toMatch(/monitor/i)
  })

  test('what a control plane applies at its boot has none, because the CRDs come later', () => {
    const [, cilium] = plan({ prometheus_crds: true, cilium: { delivery: 'inline' } })
    expect(JSON.stringify(cilium)).not.toMatch(/monitor/i)
  })
})

test('values of the inventory win over ours, deep inside, and null takes a key away', () => {
  expect(mergeValues({ a: { b: 1, c: 2 }, d: [1] }, { a: { b: 9, c: null }, d: [2] })).toEqual({ a: { b: 9 }, d: [2] })
})

test('a mirror stands in for the registry of helm and of every chart', () => {
  const [addon] = plan(
    { cert_manager: true },
    { registry: { images: 'registry.example.com/hub', charts: 'oci://registry.example.com/charts' } },
  )
  const job = addon === undefined ? undefined : installObjects(addon).find(({ kind }) => kind === 'Job')
  const text = JSON.stringify(job)
  expect(text).toContain('registry.example.com/hub/alpine/helm:')
  expect(text).toContain('oci://registry.example.com/charts/cert-manager')
})

test('files and addresses are read, and a changed file is a change', async () => {
  const [addon] = plan({ custom: [{ name: 'site', manifests: ['site.yaml'] }] })
  if (addon === undefined) throw new Error('there is one')
  const read = (name: string) => async () => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
  const [one, other] = [
    await loadReferences(addon, context, read('a')),
    await loadReferences(addon, context, read('b')),
  ]
  expect(installObjects(one).map(({ metadata }) => metadata.name)).toEqual(['a'])
  expect(one.hash).not.toBe(other.hash)
})

test('a manifest whose hash was written down is refused when it changed', async () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
  const sha256 = createHash('sha256').update(text).digest('hex')
  const [addon] = plan({ custom: [{ name: 'site', manifests: [{ source: 'https://example.com/a.yaml', sha256 }] }] })
  if (addon === undefined) throw new Error('there is one')
  expect((await loadReferences(addon, context, async () => text)).source.kind).toBe('manifests')
  await expect(loadReferences(addon, context, async () => `${text}# changed\n`)).rejects.toMatchObject({
    message: expect.stringContaining('does not match its sha256'),
    fix: expect.stringContaining('sha256'),
  })
})

test('manifests that are none are refused with their place', async () => {
  const [addon] = plan({ custom: [{ name: 'site', manifests: ['site.yaml'] }] })
  if (addon === undefined) throw new Error('there is one')
  await expect(loadReferences(addon, context, async () => 'hello')).rejects.toThrow(
    'site.yaml, document 1 cannot be used',
  )
})

test('every addon has a summary and a namespace', () => {
  for (const { name, title, summary, version, namespace } of catalogue) {
    expect(name).toMatch(/^[a-z][a-z_]*$/)
    expect([title, summary, version, namespace].every((text) => text.length > 0)).toBe(true)
  }
})
