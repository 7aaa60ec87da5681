import { afterAll, beforeAll, expect, test } from 'vitest'
import { seen } from '../../src/cluster/seen.js'
import { findingDefinitions } from '../../src/findings/index.js'
import type { KubernetesObject } from '../../src/kubernetes/port.js'
import { inspect } from '../../src/operations/doctor.js'
import type { SavedLab } from '../../src/simulator/index.js'
import { seedSerial } from '../../src/vm/seed.js'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const GiB = 1024 ** 3
const minute = 60_000

/** Whoever plants a defect: with the web interface of Proxmox, kubectl or a fault of the lab. */
interface Planter {
  readonly stage: Stage
  readonly hand: Hand
  readonly lab: Stage['lab']
  uuid(name: string): string
  apply(...objects: readonly KubernetesObject[]): Promise<void>
}

interface Row {
  readonly code: `ICH${string}`
  readonly subject: string
  /** Over the keys of the inventory, afterwards. */
  readonly extra?: string
  readonly replaced?: readonly [from: string, to: string]
  readonly plant?: (planter: Planter) => Promise<unknown> | unknown
}

const node = (name: string, rest: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  ...rest,
})
const set =
  (name: string, options: Readonly<Record<string, string | number>>) =>
  ({ hand }: Planter) =>
    hand.set(name, options)
/** After the machine was switched off and on: what it then runs with. */
const restarted =
  (name: string, options: Readonly<Record<string, string | number>>) =>
  async ({ hand }: Planter) => {
    await hand.stop(name)
    await hand.set(name, options)
    await hand.wait(hand.world.proxmox.machines.start(await hand.vm(name), hand.signal))
    await answers(hand, name)
  }
const answers = async (hand: Hand, name: string) => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const address = addresses[name] ?? ''
    const isThere = await hand.world.talos
      .node({ machine: name, address })
      .resources.machineStatus(hand.signal)
      .then(({ stage }) => stage === 'running')
      .catch(() => false)
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const addresses: Readonly<Record<string, string>> = {
  'dev-cp-1': '10.0.10.10',
  'dev-cp-2': '10.0.10.11',
  'dev-cp-3': '10.0.10.12',
  'dev-wk-1': '10.0.10.20',
  'dev-wk-2': '10.0.10.21',
}
const daemonSet = (name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { nodeSelector: { never: 'true' }, containers: [{ name: 'agent', image: name }] },
    },
  },
})

/** A VM of somebody else that runs. */
const foreign = async (hand: Hand, host: string, vmid: number, gibibytes: number) => {
  await hand.call('POST', `/nodes/${host}/qemu`, { vmid, name: 'nas', memory: gibibytes * 1024, cores: 2 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await hand.wait(hand.world.proxmox.machines.start({ host, vmid }, hand.signal))
  await new Promise((resolve) => setTimeout(resolve, 200))
}
const unschedulable = (kind: string, name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'kube-system' },
  spec: { template: { spec: { nodeSelector: { never: 'true' } } } },
})

const rows: readonly Row[] = [
  {
    code: 'ICH0121',
    subject: 'proxmox.insecure',
    replaced: ['datastore: local-lvm', 'datastore: local-lvm\n  insecure: true'],
  },
  { code: 'ICH0201', subject: 'Proxmox', plant: ({ lab }) => lab.proxmox.setQuorate(false) },
  {
    code: 'ICH0202',
    subject: 'pve2/pve/data',
    plant: ({ lab }) => lab.proxmox.trouble.fillMetadata('pve2', 'local-lvm', 0.95),
  },
  { code: 'ICH0203', subject: 'pve2', plant: ({ lab }) => lab.proxmox.setHostOnline('pve2', false) },
  {
    code: 'ICH0204',
    subject: 'local-lvm',
    plant: ({ hand }) => hand.call('PUT', '/storage/local-lvm', { disable: 1 }),
  },
  { code: 'ICH0206', subject: 'pve2', plant: ({ lab }) => lab.proxmox.trouble.useSwap('pve2', GiB) },
  { code: 'ICH0208', subject: 'pve3', plant: ({ lab }) => lab.proxmox.trouble.skewClock('pve3', 10 * minute) },
  { code: 'ICH0301', subject: 'dev-wk-1', plant: ({ hand }) => hand.remove('dev-wk-1') },
  { code: 'ICH0302', subject: 'dev-wk-1', plant: ({ hand }) => hand.stop('dev-wk-1') },
  { code: 'ICH0303', subject: 'dev-wk-1', plant: ({ lab, uuid }) => lab.talos.hang(uuid('dev-wk-1')) },
  {
    code: 'ICH0304',
    subject: 'dev-wk-1',
    plant: async ({ lab, hand }) => lab.proxmox.trouble.internalError((await hand.vm('dev-wk-1')).vmid),
  },
  { code: 'ICH0305', subject: 'VM', plant: set('dev-wk-1', { description: 'some notes of mine' }) },
  { code: 'ICH0307', subject: 'dev-wk-1', plant: restarted('dev-wk-1', { cpu: 'kvm64' }) },
  { code: 'ICH0308', subject: 'dev-wk-1', plant: set('dev-wk-1', { balloon: 1024 }) },
  { code: 'ICH0314', subject: 'dev-wk-1', plant: ({ lab, uuid }) => lab.talos.silenceAgent(uuid('dev-wk-1')) },
  { code: 'ICH0315', subject: 'dev-wk-1', plant: set('dev-wk-1', { agent: 0 }) },
  { code: 'ICH0316', subject: 'dev-wk-2', replaced: ['worker_count: 2', 'worker_count: 1'] },
  { code: 'ICH0318', subject: 'dev-wk-1', plant: set('dev-wk-1', { cores: 4 }) },
  { code: 'ICH0319', subject: 'dev-wk-1', plant: set('dev-wk-1', { boot: 'order=net0' }) },
  {
    code: 'ICH0321',
    subject: 'dev-wk-1',
    plant: async (planter) => {
      const { scsi0 = '' } = await planter.hand.options('dev-wk-1')
      await planter.hand.set('dev-wk-1', { scsi0: scsi0.replace(/,discard=on/, '') })
    },
  },
  {
    code: 'ICH0322',
    subject: 'dev-wk-1',
    plant: async ({ hand }) => hand.set('dev-wk-1', { scsi9: `local-lvm:1,serial=${seedSerial}` }),
  },
  {
    code: 'ICH0323',
    subject: 'dev-cp-1',
    plant: async ({ hand }) => {
      const { scsi0 = '' } = await hand.options('dev-cp-1')
      await hand.set('dev-cp-1', { scsi0: `${scsi0},cache=unsafe` })
    },
  },
  {
    code: 'ICH0325',
    subject: 'dev-wk-1',
    plant: async ({ hand }) => {
      const { net0 = '' } = await hand.options('dev-wk-1')
      await hand.set('dev-wk-1', { net0: `${net0},link_down=1` })
    },
  },
  {
    code: 'ICH0328',
    subject: 'dev',
    replaced: ['cpu: 2, ram: 4GiB, disk: 20G }\n  worker', 'cpu: 4, ram: 4GiB, disk: 20G }\n  worker'],
  },
  {
    code: 'ICH0401',
    subject: 'dev-wk-2',
    plant: ({ lab, uuid }) => lab.talos.clockSkew(uuid('dev-wk-2'), -10 * minute),
  },
  {
    code: 'ICH0407',
    subject: 'dev-wk-1',
    plant: ({ lab, uuid }) => lab.talos.corruptDatagrams(uuid('dev-wk-1'), 5000),
  },
  { code: 'ICH0409', subject: 'dev-wk-1', extra: 'talos:\n  extensions: [iscsi-tools]\n' },
  {
    code: 'ICH0501',
    subject: 'etcd',
    plant: async ({ hand }) => {
      await hand.stop('dev-cp-2')
      await hand.stop('dev-cp-3')
    },
  },
  { code: 'ICH0502', subject: 'dev-cp-3', plant: ({ lab, uuid }) => lab.talos.etcdAlarm(uuid('dev-cp-3'), 'corrupt') },
  {
    code: 'ICH0503',
    subject: 'dev-cp-1',
    plant: ({ lab, uuid }) => lab.talos.growEtcd(uuid('dev-cp-1'), 1900 * 1024 ** 2),
  },
  { code: 'ICH0505', subject: 'dev-cp-2', plant: ({ lab, uuid }) => lab.talos.demoteEtcd(uuid('dev-cp-2')) },
  {
    code: 'ICH0506',
    subject: 'etcd',
    plant: async ({ hand }) => {
      const { etcd } = hand.world.talos.node({ machine: 'dev-cp-1', address: addresses['dev-cp-1'] ?? '' })
      const gone = (await etcd.members({ local: false }, hand.signal)).find(({ hostname }) => hostname === 'dev-cp-3')
      await etcd.removeMember(gone?.id ?? '', hand.signal)
    },
  },
  {
    code: 'ICH0507',
    subject: 'dev-cp-1',
    plant: ({ lab, uuid }) => lab.talos.growEtcd(uuid('dev-cp-1'), 900 * 1024 ** 2),
  },
  {
    code: 'ICH0508',
    subject: 'dev-cp-2',
    plant: ({ lab, uuid }) => {
      lab.talos.slowEtcd(uuid('dev-cp-2'), 1500)
      lab.talos.slowEtcd(uuid('dev-cp-2'), 0)
    },
  },
  {
    code: 'ICH0604',
    subject: 'old',
    plant: ({ apply }) => apply(node('old', { status: { nodeInfo: { systemUUID: 'gone' } } })),
  },
  {
    code: 'ICH0605',
    subject: 'dev-wk-1',
    plant: async ({ apply }) => {
      await apply({
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'csr-stuck' },
        spec: {
          request: 'eA==',
          signerName: 'kubernetes.io/kubelet-serving',
          username: 'system:node:dev-wk-1',
          usages: ['server auth'],
        },
      })
      await new Promise((resolve) => setTimeout(resolve, 1500))
    },
  },
  {
    code: 'ICH0608',
    subject: 'policies',
    plant: ({ apply }) =>
      apply({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'policies' },
        webhooks: [
          {
            name: 'policies.example.org',
            clientConfig: { service: { namespace: 'policies', name: 'gone' } },
            failurePolicy: 'Fail',
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      }),
  },
  {
    code: 'ICH0609',
    subject: 'dev-wk-1',
    plant: ({ apply }) => apply(node('dev-wk-1', { spec: { unschedulable: true } })),
  },
  { code: 'ICH0610', subject: 'dev', plant: ({ apply }) => apply(daemonSet('cilium')) },
  {
    code: 'ICH0611',
    subject: 'dev-wk-2',
    plant: ({ apply }) =>
      apply(
        node('dev-wk-2', {
          spec: {
            taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }],
          },
        }),
      ),
  },
  {
    code: 'ICH0612',
    subject: 'dev-wk-1',
    plant: async ({ apply, hand }) => {
      const { host } = await hand.vm('dev-wk-1')
      await apply({
        ...node('dev-wk-1', {}),
        metadata: {
          name: 'dev-wk-1',
          labels: { 'topology.kubernetes.io/zone': host === 'pve1' ? 'pve2' : 'pve1' },
        },
      })
    },
  },
  {
    code: 'ICH0614',
    subject: 'dev-wk-2',
    plant: ({ apply }) =>
      apply(
        node('dev-wk-2', { spec: { taints: [{ key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' }] } }),
      ),
  },
  {
    code: 'ICH0702',
    subject: 'dev',
    plant: ({ apply }) =>
      apply(daemonSet('cilium'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cilium-config', namespace: 'kube-system' },
        data: { 'enable-bpf-masquerade': 'true' },
      }),
  },
  { code: 'ICH0704', subject: 'metrics_server', extra: 'addons:\n  metrics_server: true\n' },
  {
    code: 'ICH0705',
    subject: 'dev-wk-1',
    plant: ({ apply }) =>
      apply({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: 'dev-wk-1' },
        spec: { drivers: [{ name: 'driver.longhorn.io', nodeID: 'dev-wk-1' }] },
      }),
  },
  {
    code: 'ICH1002',
    subject: 'pve1',
    plant: async ({ hand }) => {
      for (const name of ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']) {
        const from = await hand.vm(name)
        if (from.host === 'pve1') continue
        await hand.wait(
          hand.world.proxmox.machines.migrate(
            from,
            { target: 'pve1', online: true, withLocalDisks: true },
            hand.signal,
          ),
        )
      }
    },
  },
  {
    code: 'ICH0306',
    subject: 'dev-wk-1',
    plant: set('dev-wk-1', { ide2: 'local:iso/talos.iso,media=cdrom', boot: 'order=ide2;scsi0' }),
  },
  {
    code: 'ICH0510',
    subject: 'dev-cp-3',
    replaced: ['control_plane_count: 3', 'control_plane_count: 2'],
    plant: async ({ hand }) => {
      await hand.remove('dev-cp-3')
      await hand.world.kubernetes
        .at([{ host: addresses['dev-cp-1'] ?? '', port: 6443 }])
        .deleteNode('dev-cp-3', hand.signal)
    },
  },
  {
    code: 'ICH0603',
    subject: 'dev-wk-1',
    plant: ({ hand }) =>
      hand.world.kubernetes.at([{ host: addresses['dev-cp-1'] ?? '', port: 6443 }]).deleteNode('dev-wk-1', hand.signal),
  },
  { code: 'ICH0616', subject: 'coredns', plant: ({ apply }) => apply(unschedulable('Deployment', 'coredns')) },
  {
    code: 'ICH1001',
    subject: 'pve',
    plant: async ({ hand }) => {
      for (const [index, host] of ['pve1', 'pve2', 'pve3'].entries()) await foreign(hand, host, 7000 + index, 118)
    },
  },
  {
    code: 'ICH1003',
    subject: 'pve1',
    plant: async ({ hand }) => foreign(hand, 'pve1', 7000, 140),
  },
  {
    code: 'ICH1004',
    subject: 'nas',
    extra: 'guests:\n  - { name: nas, host: pve1, cpu: 1, ram: 1GiB, vmid: 7000 }\n',
    plant: async ({ hand }) => foreign(hand, 'pve1', 7000, 4),
  },
  { code: 'ICH1005', subject: 'dev-wk-1', extra: 'placement:\n  pinned: { dev-wk-1: ELSEWHERE }\n' },
  { code: 'ICH1006', subject: 'pve1', extra: 'reserve:\n  pve1: { ram: 127GiB }\n' },
]

/** Findings without a row, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  ICH0122: 'only the inventory is read: src/findings/look.test.ts',
  ICH0123: 'only the inventory and the store are read: src/findings/look.test.ts',
  ICH0205: 'the lab fills thin pools, and keeps no disks on other storages: src/findings/look.test.ts',
  ICH0207: 'the lab has no root file systems that fill: src/findings/look.test.ts',
  ICH0209: 'the lab has no broken watchdog: src/findings/look.test.ts',
  ICH0210: 'the lab has no broken watchdog: src/findings/look.test.ts',
  ICH0211: 'the lab has no maintenance mode of HA: src/findings/look.test.ts',
  ICH0212: 'all hosts of the lab have one CPU: src/findings/look.test.ts',
  ICH0309: 'a lock of Proxmox lasts only as long as its task: src/findings/findings.test.ts',
  ICH0310: 'it is in the journal of this computer: tests/scenarios/run-clock.test.ts',
  ICH0312: 'tests/scenarios/data-disks.test.ts',
  ICH0313: 'the lab enrols keys as Talos does: src/findings/findings.test.ts',
  ICH0317: 'outside the pool a VM is not proven, which is ICH0305; until it is taken over: src/findings/look.test.ts',
  ICH0320: 'tests/life/shutdown.test.ts',
  ICH0324: 'it needs a process of this computer that was killed: src/findings/look.test.ts',
  ICH0326: 'tests/scenarios/verdict-codes.test.ts, before the first up',
  ICH0327: 'a wiped machine with a static address is silent: src/findings/findings.test.ts',
  ICH0402: 'the lab installs only images of the factory for its platform: src/findings/look.test.ts',
  ICH0403: 'disputed, and not seen in the lab: src/findings/look.test.ts',
  ICH0404: 'the lab reports no sizes of EPHEMERAL: src/findings/look.test.ts',
  ICH0405: 'services of the lab start: src/findings/look.test.ts',
  ICH0406: 'the lab has no diagnostics: src/findings/look.test.ts',
  ICH0408: 'the lab has no discovery service that could be cut off: src/findings/look.test.ts',
  ICH0410: 'it needs a virtual IP: src/findings/look.test.ts',
  ICH0411: 'a trial ends within a second of the lab: tests/life/trials.test.ts',
  ICH0412: 'one address twice makes its own machine silent: src/findings/look.test.ts',
  ICH0504: 'it takes ten minutes: src/findings/look.test.ts',
  ICH0509: 'Talos of the lab advertises only its own addresses: src/findings/look.test.ts',
  ICH0511: 'it lasts only while a cluster is created: src/findings/findings.test.ts',
  ICH0512: 'src/operations/status/status.test.ts',
  ICH0601: 'attachments belong to the controllers of the lab: src/findings/look.test.ts',
  ICH0602: 'kubelets write the UUIDs of their nodes: src/findings/findings.test.ts',
  ICH0606: 'kubelets write the IDs of their nodes: src/findings/look.test.ts',
  ICH0607: 'kubelets write the addresses of their nodes: src/findings/look.test.ts',
  ICH0613: 'attachments belong to the controllers of the lab: src/findings/look.test.ts',
  ICH0615: 'attachments belong to the controllers of the lab: src/findings/look.test.ts',
  ICH0701: 'tests/scenarios/addons.test.ts',
  ICH0703: 'tests/cli/failed-addon.test.ts',
  ICH0801: 'tests/scenarios/look-at-nodes.test.ts',
  ICH0802: 'certificates of the hosts of the lab do not end: src/findings/look.test.ts',
  ICH0803: 'src/plan/stale-keys.test.ts',
  ICH0901: 'it is in the store: src/findings/look.test.ts',
  ICH0902: 'it is in every row: there is no store',
  ICH0903: 'it is in the store: src/findings/findings.test.ts',
  ICH0904: 'tests/scenarios/backup-job.test.ts',
  ICH1101: 'src/advisories',
  ICH1102: 'tests/life/upgrade-trouble.test.ts',
  ICH1103: 'Talos refuses a kubelet that does not fit: src/findings/look.test.ts',
  ICH1104: 'tests/life/upgrade-talos.test.ts',
  ICH1105: 'all hosts of the lab have one kernel: src/findings/look.test.ts',
}

test('every finding of a look has a defect here, or a reason', () => {
  const planted = new Set<string>([...rows.map(({ code }) => code), ...Object.keys(elsewhere)])
  const codes = findingDefinitions.filter(({ phase }) => phase === 'look').map(({ code }) => code)
  expect(codes.filter((code) => !planted.has(code))).toEqual([])
  expect([...planted].filter((code) => !codes.some((one) => one === code))).toEqual([])
  expect(rows.map(({ code }) => code).filter((code) => elsewhere[code] !== undefined)).toEqual([])
})

let folder: string
let saved: SavedLab
let yaml: string
let first: Stage

beforeAll(async () => {
  yaml = clusterYaml()
  first = await aStage({
    files: { 'cluster.yaml': yaml },
    topology: aTopology({ hosts: 3, files: [{ volid: 'local:iso/talos.iso' }] }),
  })
  await first.up()
  folder = first.folder
  saved = JSON.parse(JSON.stringify(first.lab.save()))
  // Its ports are free then, and the addresses in the configs stay true.
  await first.lab.close()
})
afterAll(() => first.close())

async function found(stage: Stage): Promise<string[]> {
  const { world } = await stage.connect()
  const beside = Promise.resolve({ expiries: [], backup: seen({}) })
  const signal = AbortSignal.timeout(60_000)
  const { examination } = await inspect({ inventory: await stage.inventory(), world, env: {} }, beside, signal)
  return examination.findings.map(({ code, subject }) => `${code} ${subject.name}`)
}

test.each(rows)('$code of $subject: planted, it is found within one run', async ({ code, subject, ...row }) => {
  const stage = await aStage({ files: {}, folder, resume: saved })
  try {
    const hand = await byHand(stage)
    const kubernetes = hand.world.kubernetes.at([{ host: addresses['dev-cp-1'] ?? '', port: 6443 }])
    await row.plant?.({
      stage,
      hand,
      lab: stage.lab,
      uuid: (name) => stage.lab.talos.machines().find((machine) => machine.name === name)?.uuid ?? '',
      apply: async (...objects) => {
        await kubernetes.apply(objects, { fieldManager: 'somebody', force: true }, hand.signal)
      },
    })
    const elsewhere = (await hand.vm('dev-wk-1').catch(() => ({ host: 'pve1' }))).host === 'pve1' ? 'pve2' : 'pve1'
    const text = `${row.replaced === undefined ? yaml : yaml.replace(...row.replaced)}${(row.extra ?? '').replace('ELSEWHERE', elsewhere)}`
    await stage.write('cluster.yaml', text)
    expect(await found(stage)).toContainEqual(expect.stringMatching(new RegExp(`^${code} ${subject}`)))
  } finally {
    await stage.write('cluster.yaml', yaml)
    await stage.close()
  }
})
