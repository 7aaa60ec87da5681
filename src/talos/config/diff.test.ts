import { expect, test } from 'vitest'
import { Document, parseAllDocuments } from 'yaml'
import { diffConfigs } from './diff.js'
import { maskSecrets } from './mask-secrets.js'
import { renderConfig } from './render.js'
import type { TalosMachine } from './talos-machine.js'
import { aBundle, aCluster, aLink, aMachine } from './testdata/a-machine.js'

const bundle = aBundle()

function diff(before: TalosMachine, after: TalosMachine, version: string) {
  return diffConfigs(renderConfig(before, bundle), renderConfig(after, bundle), version)
}

test('the same config has no changes', () => {
  expect(diff(aMachine(), aMachine(), 'v1.13.9')).toEqual({ changes: [], needsReboot: false })
})

/** An equivalent config: other order of keys and documents, flow style, comments, and empty parts. */
function reencoded(text: string): string {
  const documents = parseAllDocuments(text).map((document) => {
    const value: Record<string, unknown> = document.toJS()
    const turned = Object.fromEntries(Object.entries(value).toReversed())
    const isClassic = 'machine' in value
    return new Document(isClassic ? { ...turned, debug: false, machine: emptied(value.machine) } : turned)
  })
  const [first, ...others] = documents.map((document) => {
    document.commentBefore = ' written by another program'
    return document.toString({ collectionStyle: 'flow', defaultStringType: 'QUOTE_DOUBLE' })
  })
  return [...others, first].join('---\n')
}

function emptied(machine: unknown): object {
  return { udev: null, pods: [], ...(machine as object) }
}

test.each(['v1.8', 'v1.11', 'v1.13', 'v1.14'])(
  'a %s config that somebody wrote again in other words is the same',
  (contract) => {
    const config = renderConfig(aMachine({ contract, labels: { a: 'b' } }), bundle)
    expect(reencoded(config)).not.toBe(config)
    expect(diffConfigs(reencoded(config), config, 'v1.13.9')).toEqual({ changes: [], needsReboot: false })
  },
)

test('a change has document, path and both values', () => {
  const machine = aMachine({ sysctls: { 'vm.max_map_count': '1' } })
  const { changes } = diff(machine, { ...machine, sysctls: { 'vm.max_map_count': '2' } }, 'v1.13.9')
  expect(changes).toEqual([
    {
      document: 'v1alpha1',
      path: 'machine.sysctls.vm.max_map_count',
      before: '"1"',
      after: '"2"',
      needsReboot: false,
    },
  ])
})

test('a document that comes is a change of each of its fields', () => {
  const { changes } = diff(aMachine(), aMachine({ timeServers: ['ntp.lan'] }), 'v1.13.9')
  expect(changes.map(({ document, path, before }) => [document, path, before])).toContainEqual([
    'TimeSyncConfig',
    'ntp.servers[0]',
    undefined,
  ])
})

test('what the user wrote into env, files and documents of others is never shown', () => {
  const before =
    'version: v1alpha1\nmachine: { env: { A: old-value-1 }, files: [{ path: /a, content: old-value-2 }] }\n'
  const after = [
    'version: v1alpha1\nmachine: { env: { A: new-value-1, PIN: 4711 }, files: [{ path: /a, content: new-value-2 }] }\n',
    'apiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: x\nenvironment: [KEY=new-value-3]\n',
    'apiVersion: v1alpha1\nkind: SideroLinkConfig\napiUrl: grpc://x?jointoken=new-value-4\n',
  ].join('---\n')
  const shown = JSON.stringify(diffConfigs(before, after, 'v1.13.9'))
  expect(shown).not.toMatch(/(old|new)-value|4711/)
  expect(shown).toContain('machine.env.A')
  expect(shown).toContain('ExtensionServiceConfig x')
})

test.each([
  { what: 'a sysctl', version: 'v1.12.7', machine: aMachine({ sysctls: { a: 'b' } }), reboots: false },
  {
    what: 'a disk that is partitioned',
    version: 'v1.9.5',
    contract: 'v1.9',
    machine: aMachine({
      contract: 'v1.9',
      userVolumes: [{ name: 'd', diskMatch: 'disk.dev_path == "/dev/sdb"', devicePath: '/dev/sdb', minSize: 1024 }],
    }),
    reboots: true,
  },
  { what: 'a link', version: 'v1.13.9', machine: aMachine({ links: [aLink()] }), reboots: false },
  {
    what: 'KubePrism',
    version: 'v1.13.9',
    machine: aMachine({ cluster: aCluster({ kubePrism: false }) }),
    reboots: false,
  },
  {
    what: 'disk encryption',
    version: 'v1.14.1',
    contract: 'v1.14',
    machine: aMachine({ contract: 'v1.14', diskEncryption: { state: true, ephemeral: true, key: 'tpm' } }),
    reboots: true,
  },
  {
    what: 'a label',
    version: 'v1.14.1',
    contract: 'v1.14',
    machine: aMachine({ contract: 'v1.14', labels: { a: 'b' } }),
    reboots: false,
  },
])('$what on $version needs a reboot: $reboots', ({ machine, version, contract, reboots }) => {
  expect(diff(aMachine(contract === undefined ? {} : { contract }), machine, version).needsReboot).toBe(reboots)
})

test.each(['v1.8', 'v1.11', 'v1.13', 'v1.14'])(
  'no secret of a %s config is shown, masked or as a change',
  (contract) => {
    const registries = [
      {
        host: 'r.lan',
        mirrors: [],
        skipFallback: false,
        insecure: false,
        auth: { username: 'me', password: 'hunter2' },
      },
    ]
    const text = renderConfig(aMachine({ contract, registries }), bundle)
    const shown =
      maskSecrets(text).text +
      JSON.stringify(diffConfigs('', text, 'v1.13.9')) +
      JSON.stringify(diffConfigs(text, '', 'v1.13.9'))
    const { certs, secrets, cluster, trustdinfo } = bundle
    const keys = [certs.os, certs.k8s, certs.etcd, certs.k8saggregator, certs.k8sserviceaccount].map(({ key }) => key)
    const plain = keys.map((key) => Buffer.from(key, 'base64').toString().split('\n')[1] ?? '')
    for (const secret of [
      ...keys,
      ...plain,
      secrets.bootstraptoken,
      secrets.secretboxencryptionsecret ?? '',
      cluster.secret,
      trustdinfo.token,
      'hunter2',
    ]) {
      expect(shown).not.toContain(secret)
    }
    expect(shown).toContain(certs.etcd.crt)
  },
)
