import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { renderConfig } from './render.js'
import type { TalosMachine } from './talos-machine.js'
import { aBundle, aCluster, aLink, aMachine } from './testdata/a-machine.js'

const bundle = aBundle()
const allContracts = ['v1.8', 'v1.9', 'v1.10', 'v1.11', 'v1.12', 'v1.13', 'v1.14'].map((contract) => ({ contract }))

function rendered(machine: TalosMachine): Record<string, unknown>[] {
  return parseAllDocuments(renderConfig(machine, bundle)).map((document) => document.toJS())
}

function classic(machine: TalosMachine): Record<string, unknown> {
  return rendered(machine)[0] ?? {}
}

function kinds(machine: TalosMachine): string[] {
  return rendered(machine)
    .map((document) => String(document.kind ?? 'v1alpha1'))
    .sort()
}

test.each(allContracts)('the same spec gives the same bytes in $contract', ({ contract }) => {
  const machine = aMachine({ contract, links: [aLink()], labels: { b: '2', a: '1' } })
  expect(renderConfig(machine, bundle)).toBe(renderConfig({ ...machine, labels: { a: '1', b: '2' } }, bundle))
})

test.each(allContracts)('a worker of $contract holds no key of the cluster', ({ contract }) => {
  const text = renderConfig(aMachine({ contract, role: 'worker' }), bundle)
  const { certs, secrets } = bundle
  for (const secret of [
    certs.os.key,
    certs.k8s.key,
    certs.etcd.key,
    certs.k8saggregator.key,
    certs.k8sserviceaccount.key,
  ]) {
    expect(text).not.toContain(secret)
  }
  expect(text).not.toContain(secrets.secretboxencryptionsecret)
})

test('up to 1.11 a link is an interface, selected by its MAC in lower case', () => {
  const machine = aMachine({ contract: 'v1.11', links: [aLink({ vip: '10.0.10.10' })] })
  expect(classic(machine)).toMatchObject({
    machine: {
      network: {
        hostname: 'dev-cp-1',
        interfaces: [
          {
            deviceSelector: { hardwareAddr: 'bc:24:11:00:00:0a' },
            addresses: ['10.0.10.11/24'],
            routes: [{ network: '0.0.0.0/0', gateway: '10.0.10.1' }],
            vip: { ip: '10.0.10.10' },
          },
        ],
      },
    },
  })
  expect(kinds(machine)).toEqual(['v1alpha1'])
})

test('from 1.12 on a link has an alias by its MAC, and everything names the alias', () => {
  const documents = rendered(aMachine({ contract: 'v1.12', links: [aLink({ vip: '10.0.10.10' })] }))
  expect(documents).toContainEqual(
    expect.objectContaining({
      kind: 'LinkAliasConfig',
      name: 'net0',
      selector: { match: 'mac(link.permanent_addr) == "bc:24:11:00:00:0a"' },
    }),
  )
  expect(documents).toContainEqual(expect.objectContaining({ kind: 'LinkConfig', name: 'net0' }))
  expect(documents).toContainEqual(
    expect.objectContaining({ kind: 'Layer2VIPConfig', name: '10.0.10.10', link: 'net0' }),
  )
})

test('a hostname turns the made-up one off, as a string and not as a YAML 1.1 boolean', () => {
  expect(renderConfig(aMachine(), bundle)).toContain('kind: HostnameConfig\nauto: "off"\nhostname: dev-cp-1\n')
})

test.each([
  {
    what: 'a shared address on a worker',
    change: { role: 'worker', links: [aLink({ vip: '10.0.10.10' })] },
    message: '10.0.10.10',
  },
  {
    what: 'a VLAN that cannot be',
    change: { links: [aLink({ vlans: [{ id: 4095, addresses: [], dhcp: true }] })] },
    message: '4095',
  },
  {
    what: 'a volume name with an underscore',
    change: { userVolumes: [{ name: 'my_data', diskMatch: 'true', minSize: 1 }] },
    message: 'my_data',
  },
  {
    what: 'an endpoint without TLS',
    change: { cluster: aCluster({ endpoint: 'http://10.0.0.1:6443' }) },
    message: 'http://10.0.0.1',
  },
  { what: 'the same link twice', change: { links: [aLink(), aLink()] }, message: 'bc:24:11:00:00:0a' },
] as const)('$what is refused before a machine sees it', ({ change, message }) => {
  expect(() => renderConfig(aMachine(change), bundle)).toThrow(message)
})

test('1.8 cannot select a volume by an expression alone', () => {
  const userVolumes = [{ name: 'data', diskMatch: 'disk.size > 10u * GiB', minSize: 1024 ** 3 }]
  expect(() => renderConfig(aMachine({ contract: 'v1.8', userVolumes }), bundle)).toThrow(/Volume data is selected by/)
})

test('a contract that is newer than we know is written as the newest known', () => {
  const machine = aMachine({ contract: 'v1.14', cluster: aCluster() })
  expect(renderConfig({ ...machine, contract: 'v1.19' }, bundle)).toBe(renderConfig(machine, bundle))
})

test('a 1.14 worker has no document that only control planes may have', () => {
  const worker = kinds(aMachine({ contract: 'v1.14', role: 'worker' }))
  const forbidden = kinds(aMachine({ contract: 'v1.14' })).filter((kind) =>
    /^Kube(APIServerConfig|A(dmission|ggregator|udit|uth).*|ControllerManager.*|CoreDNS.*|EtcdEnc.*|Flannel.*|Proxy.*|Scheduler.*|ServiceAccount.*)/.test(
      kind,
    ),
  )
  expect(forbidden).toHaveLength(14)
  expect(worker.filter((kind) => forbidden.includes(kind))).toEqual([])
})

test.each(allContracts)('$contract has disk encryption once, in its own way', ({ contract }) => {
  const machine = aMachine({ contract, diskEncryption: { state: true, ephemeral: true, key: 'tpm' } })
  const text = renderConfig(machine, bundle)
  expect(text.match(/provider: luks2/g)).toHaveLength(2)
  expect(text.includes('systemDiskEncryption')).toBe(!kinds(machine).includes('VolumeConfig'))
})

test.each([
  { contract: 'v1.8', message: 'device: /dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data-1' },
  { contract: 'v1.13', message: 'kind: UserVolumeConfig' },
])('a user volume in $contract', ({ contract, message }) => {
  const devicePath = '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_data-1'
  const userVolumes = [{ name: 'data', diskMatch: 'disk.serial == "data-1"', devicePath, minSize: 10 * 1024 ** 3 }]
  expect(renderConfig(aMachine({ contract, userVolumes }), bundle)).toContain(message)
})

test('1.14 cannot say extra mounts, and points to user volumes', () => {
  const kubelet = { ...aMachine().kubelet, extraMounts: [{ source: '/a', destination: '/a', options: [] }] }
  expect(() => renderConfig(aMachine({ contract: 'v1.14', kubelet }), bundle)).toThrow(/extra mount \/a/)
})

test('an old bundle with an AES-CBC secret keeps its cipher in every style', () => {
  const { secretboxencryptionsecret: _, ...secrets } = bundle.secrets
  const old = { ...bundle, secrets: { ...secrets, aescbcencryptionsecret: 'b2xkLXNlY3JldA==' } }
  expect(renderConfig(aMachine({ contract: 'v1.8' }), old)).toContain('aescbcEncryptionSecret: b2xkLXNlY3JldA==')
  expect(renderConfig(aMachine({ contract: 'v1.14' }), old)).toMatch(/- aescbc:\n +keys:\n +- name: key1/)
})

test('members of a bond are selected by their permanent address, which the bond does not change', () => {
  const bond = { members: [{ mac: 'BC:24:11:00:00:0B' }], mode: '802.3ad', options: {} }
  const text = renderConfig(aMachine({ contract: 'v1.11', links: [aLink({ bond })] }), bundle)
  expect(text).toContain('- permanentAddr: bc:24:11:00:00:0a\n')
  expect(text).toContain('- permanentAddr: bc:24:11:00:00:0b\n')
})

test('logs of services and of the kernel go to the same places', () => {
  const documents = rendered(aMachine({ contract: 'v1.13', logDestinations: ['tcp://10.0.10.9:6050'] }))
  expect(documents[0]).toMatchObject({
    machine: { logging: { destinations: [{ endpoint: 'tcp://10.0.10.9:6050', format: 'json_lines' }] } },
  })
  expect(documents).toContainEqual({
    apiVersion: 'v1alpha1',
    kind: 'KmsgLogConfig',
    name: 'kernel-1',
    url: 'tcp://10.0.10.9:6050',
  })
})

const oidc = {
  issuer: 'https://login.example.com',
  clientId: 'dev',
  usernameClaim: 'email',
  usernamePrefix: 'oidc:',
  groupsClaim: 'groups',
  groupsPrefix: 'oidc:',
}

test('an identity provider is a set of flags of the API server, from 1.14 an entry of its authentication file', () => {
  expect(classic(aMachine({ contract: 'v1.13', cluster: aCluster({ oidc }) }))).toMatchObject({
    cluster: { apiServer: { extraArgs: { 'oidc-issuer-url': oidc.issuer, 'oidc-groups-prefix': 'oidc:' } } },
  })
  const documents = rendered(aMachine({ contract: 'v1.14', cluster: aCluster({ oidc }) }))
  const [authentication] = documents.filter(({ kind }) => kind === 'KubeAuthenticationConfig')
  expect(authentication).toMatchObject({
    configuration: { jwt: [{ issuer: { url: oidc.issuer, audiences: ['dev'] } }] },
  })
  expect(JSON.stringify(documents)).not.toContain('oidc-issuer-url')
})

test.each(['v1.13', 'v1.14'])('the audit policy of the inventory takes the place of the default in %s', (contract) => {
  const auditPolicy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] }
  const text = renderConfig(aMachine({ contract, cluster: aCluster({ auditPolicy }) }), bundle)
  expect(text).toContain('level: RequestResponse')
  expect(text).not.toContain('level: Metadata')
})
