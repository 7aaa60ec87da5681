import { expect, test } from 'vitest'
import {
  type Change,
  changing,
  day,
  examining,
  healthyFacts,
  inKubernetes,
  inMachine,
  now,
  observing,
  ofEtcd,
  ofKubernetes,
  ofProxmox,
  onHost,
  withOptions,
} from '../../tests/support/facts.js'
import { hiddenParts, partsCalledWell } from '../../tests/support/hidden-parts.js'
import { planOf, specFor } from '../../tests/support/worlds.js'
import { GiB } from '../cluster/machine.js'
import { seen, unseen } from '../cluster/seen.js'
import { parseDisk, writeDisk } from '../proxmox/model/options/disk.js'
import { seedSerial } from '../vm/seed.js'
import type { Facts } from './facts.js'
import { findFindings } from './find-findings.js'
import { findingDefinitions } from './index.js'
import { unknownNeeds } from './unknown-needs.js'

const minute = 60_000
const found = (facts: Facts) =>
  findFindings(findingDefinitions, facts).findings.map(
    ({ code, severity, subject }) => `${code} ${severity} ${subject.name}`,
  )

const guest = (name: string, more: object = {}) => ({
  kind: 'qemu' as const,
  vmid: 500,
  host: 'pve1',
  name,
  status: 'running' as const,
  template: false,
  cpus: 2,
  memory: 4 * GiB,
  disk: 0,
  tags: [],
  ...more,
})
const withGuest = (name: string, more: object = {}): Change =>
  ofProxmox(({ guests }) => ({ guests: [...guests, guest(name, more)] }))
const etcdOf = (name: string, change: object): Change =>
  inMachine(name, ({ controlPlane }) =>
    controlPlane?.etcd.seen === true
      ? { controlPlane: { ...controlPlane, etcd: seen({ ...controlPlane.etcd.value, ...change }) } }
      : {},
  )
const nodeOf = (name: string, change: object): Change =>
  changing(name, ({ node }) => (node === undefined ? {} : { node: { ...node, ...change } }))
const talosOf = (name: string, change: object): Change =>
  changing(name, ({ talos }) => (talos.reach === 'secured' ? { talos: { ...talos, ...change } } : {}))
const diskWith = (name: string, change: object): Change =>
  changing(name, ({ options }) => ({
    options: { ...options, scsi0: writeDisk({ ...parseDisk(options.scsi0 ?? ''), ...change }) },
  }))
const both =
  (...changes: readonly Change[]): Change =>
  (facts) =>
    changes.reduce((changed, change) => change(changed), facts)
const taint = (key: string) => ({ taints: [{ key, effect: 'NoSchedule' }] })
const status = { memory: { total: 64 * GiB, used: 20 * GiB }, swap: { total: 8 * GiB, used: 0 } }
const hostStatus = (name: string, change: object): Change =>
  onHost(name, (host) => (host.status.seen ? { status: seen({ ...host.status.value, ...change }) } : {}))
const longhorn = { node: 'dev-wk-1', driver: 'driver.longhorn.io' }
const proxmoxCsi = 'csi.proxmox.sinextra.dev'
const attachment = {
  name: 'csi-1',
  node: 'dev-wk-1',
  driver: proxmoxCsi,
  volume: 'pvc-1',
  isAttached: true,
  since: now,
}

interface Row {
  readonly defect: string
  /** Over the keys of the inventory. */
  readonly with?: Readonly<Record<string, unknown>>
  readonly change?: Change
  readonly codes: readonly string[]
}

const rows: readonly Row[] = [
  {
    defect: 'the certificate of Proxmox is not checked',
    with: { proxmox: { target_nodes: ['pve1', 'pve2', 'pve3'], datastore: 'local-lvm', insecure: true } },
    codes: ['ICH0121 warns proxmox.insecure'],
  },
  {
    defect: 'production has one control plane',
    with: { cluster_name: 'prod', control_plane_count: 1 },
    codes: ['ICH0122 info control_plane_count'],
  },
  { defect: 'snapshots have no schedule', with: { backup: {} }, codes: ['ICH0123 info backup.etcd.schedule'] },
  {
    defect: 'the metadata of a thin pool is almost full',
    change: onHost('pve2', () => ({
      thinPools: seen([
        { volumeGroup: 'pve', name: 'data', size: 100, used: 86, metadataSize: 100, metadataUsed: 91 },
        { volumeGroup: 'other', name: 'data', size: 100, used: 100, metadataSize: 100, metadataUsed: 100 },
      ]),
    })),
    codes: ['ICH0202 blocks pve2/pve/data'],
  },
  {
    defect: 'a shared storage is almost full',
    change: ofProxmox(({ storages }) => ({
      storages: storages.map((one) => ({ ...one, type: 'rbd', shared: true, used: one.total * 0.9 })),
    })),
    codes: ['ICH0205 warns local-lvm'],
  },
  {
    defect: 'a host has no memory left and swaps',
    change: hostStatus('pve1', { memory: { total: 64, used: 63 }, swap: { total: 8 * GiB, used: GiB } }),
    codes: ['ICH0206 warns pve1'],
  },
  {
    defect: 'a host has swapped a little out, with memory to spare',
    change: hostStatus('pve1', { ...status, swap: { total: 8 * GiB, used: GiB } }),
    codes: ['ICH0206 info pve1'],
  },
  {
    defect: 'the root file system is full',
    change: hostStatus('pve3', { rootFilesystem: { total: 100, used: 97 } }),
    codes: ['ICH0207 blocks pve3'],
  },
  {
    defect: 'the clock of a host runs ahead; the time of its nodes is right',
    change: onHost('pve3', () => ({ clock: seen({ offsetMs: now + 3000, uncertaintyMs: 20 }) })),
    codes: ['ICH0208 warns pve3', 'ICH0401 warns dev-cp-3'],
  },
  {
    defect: 'HA queues a machine, and the manager of its host is dead',
    change: both(
      examining(() => ({
        ha: seen({
          hosts: [{ host: 'pve1', status: 'pve1 (old timestamp - dead?, Sun Nov 15 03:22:14 2026)' }],
          services: [
            { vmid: 100_000, host: 'pve1', state: 'queued' },
            { vmid: 4711, host: 'pve1', state: 'error' },
          ],
        }),
      })),
    ),
    codes: ['ICH0209 warns dev-wk-1', 'ICH0210 warns pve1'],
  },
  {
    defect: 'a host is in maintenance mode',
    change: ofProxmox(({ hosts }) => ({ hosts: hosts.map((one) => ({ ...one, maintenance: one.name === 'pve1' })) })),
    codes: ['ICH0211 info pve1'],
  },
  {
    defect: 'machines have the CPU of unlike hosts',
    change: both(withOptions('dev-wk-1', { cpu: 'host' }), hostStatus('pve2', { cpuModel: 'AMD EPYC 7302' })),
    codes: ['ICH0212 info dev'],
  },
  {
    defect: 'the image has no guest agent',
    change: both(
      withOptions('dev-wk-1', { agent: '1' }),
      examining(({ agents }) => ({
        agents: agents.map((one) => (one.name === 'dev-wk-1' ? { ...one, answers: seen(false) } : one)),
      })),
    ),
    codes: ['ICH0314 warns dev-wk-1'],
  },
  {
    defect: 'only the image has a guest agent',
    change: withOptions('dev-wk-1', { agent: '0' }),
    codes: ['ICH0315 warns dev-wk-1'],
  },
  {
    defect: 'a machine was removed from the inventory',
    change: (facts) => ({
      ...facts,
      inventory: { ...facts.inventory, machines: facts.inventory.machines.filter(({ name }) => name !== 'dev-wk-2') },
    }),
    codes: ['ICH0316 warns dev-wk-2'],
  },
  {
    defect: 'a VM was taken out of its pool',
    change: changing('dev-wk-1', () => ({ pool: 'attic' })),
    codes: ['ICH0317 warns dev-wk-1'],
  },
  {
    defect: 'an option waits for a restart',
    change: changing('dev-wk-1', () => ({ pending: ['cores'] })),
    codes: ['ICH0318 info dev-wk-1'],
  },
  {
    defect: 'the boot order has no disk',
    change: withOptions('dev-wk-1', { boot: 'order=net0' }),
    codes: ['ICH0319 blocks dev-wk-1'],
  },
  {
    defect: 'a network card is disconnected',
    change: changing('dev-wk-1', ({ options }) => ({ options: { ...options, net0: `${options.net0},link_down=1` } })),
    codes: ['ICH0325 blocks dev-wk-1'],
  },
  {
    defect: 'a disk passes no discards on',
    change: diskWith('dev-wk-1', { discard: false }),
    codes: ['ICH0321 info dev-wk-1'],
  },
  {
    defect: 'a seed is still attached',
    change: withOptions('dev-wk-1', { scsi9: `local-lvm:vm-3000-disk-9,serial=${seedSerial}` }),
    codes: ['ICH0322 warns dev-wk-1', 'ICH0403 warns dev-wk-1'],
  },
  {
    defect: 'control planes ignore flushes',
    change: diskWith('dev-cp-1', { cache: 'unsafe' }),
    codes: ['ICH0323 blocks dev-cp-1'],
  },
  {
    defect: 'a killed run holds the lease',
    change: examining(() => ({ lease: seen({ holder: 'ada@desk', isGone: true }) })),
    codes: ['ICH0324 info dev'],
  },
  {
    defect: 'a node does not get its time',
    change: inMachine('dev-wk-1', () => ({ time: seen({ isSynced: false, isDisabled: false }) })),
    codes: ['ICH0401 warns dev-wk-1'],
  },
  {
    defect: 'the clock of a node is seven seconds late',
    change: inMachine('dev-wk-1', ({ time }) =>
      time.seen && time.value.clock !== undefined
        ? { time: seen({ ...time.value, clock: { ...time.value.clock, node: now - 7000 } }) }
        : {},
    ),
    codes: ['ICH0401 blocks dev-wk-1'],
  },
  {
    defect: 'a machine has the image of another platform',
    change: inMachine('dev-wk-1', () => ({ platform: seen('metal') })),
    codes: ['ICH0402 warns dev-wk-1'],
  },
  {
    defect: 'a disk is invisible',
    change: withOptions('dev-wk-1', { scsi5: 'local-lvm:vm-3000-disk-5,size=10G,discard=on' }),
    codes: ['ICH0403 warns dev-wk-1'],
  },
  {
    defect: 'the file system did not grow with its disk',
    change: both(
      diskWith('dev-wk-1', { size: 40 * GiB }),
      inMachine('dev-wk-1', () => ({ ephemeralSize: seen(18 * GiB) })),
    ),
    codes: ['ICH0404 warns dev-wk-1'],
  },
  {
    defect: 'a service waits',
    change: inMachine('dev-wk-1', () => ({
      services: seen([
        { id: 'ext-iscsid', state: 'Waiting', message: 'Waiting for file /sbin/iscsid' },
        { id: 'dashboard', state: 'Finished', message: '' },
      ]),
    })),
    codes: ['ICH0405 warns dev-wk-1'],
  },
  {
    defect: 'Talos reports a problem',
    change: inMachine('dev-wk-1', () => ({ diagnostics: seen([{ id: 'address-overlap', text: 'overlap' }]) })),
    codes: ['ICH0406 warns dev-wk-1'],
  },
  {
    defect: 'datagrams arrive broken',
    change: inMachine('dev-wk-1', () => ({ udp: seen({ received: 5000, checksumErrors: 600 }) })),
    codes: ['ICH0407 warns dev-wk-1'],
  },
  {
    defect: 'a few of very many datagrams are broken',
    change: inMachine('dev-wk-1', () => ({ udp: seen({ received: 5_000_000, checksumErrors: 600 }) })),
    codes: [],
  },
  {
    defect: 'discovery does not know a worker',
    change: both(
      ...['dev-cp-1', 'dev-cp-2', 'dev-cp-3'].map((name) =>
        inMachine(name, ({ controlPlane }) =>
          controlPlane === undefined
            ? {}
            : { controlPlane: { ...controlPlane, discovered: seen(['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1']) } },
        ),
      ),
    ),
    codes: ['ICH0408 warns dev'],
  },
  {
    defect: 'an image lacks an extension',
    with: { talos: { extensions: ['iscsi-tools'] } },
    change: both(
      ...['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1'].map((name) =>
        inMachine(name, () => ({ extensions: seen(['qemu-guest-agent', 'iscsi-tools']) })),
      ),
    ),
    codes: ['ICH0409 warns dev-wk-2'],
  },
  {
    defect: 'nobody holds the virtual IP',
    with: {
      network: {
        cidr: '10.0.0.0/16',
        gateway: '10.0.0.1',
        control_plane_offset: 1000,
        worker_offset: 2000,
        pod_cidr: '10.128.0.0/9',
        vip: '10.0.0.9',
      },
    },
    codes: ['ICH0410 blocks 10.0.0.9'],
  },
  {
    defect: 'a config is on trial',
    change: talosOf('dev-wk-1', { persisted: seen('machine: {}') }),
    codes: ['ICH0411 warns dev-wk-1'],
  },
  {
    defect: 'two machines have one address, and a VM of others has a third',
    change: both(
      changing('dev-wk-1', () => ({ address: '10.0.3.233' })),
      changing('dev-wk-2', () => ({ address: '10.0.3.233' })),
      nodeOf('dev-wk-1', { internalAddresses: [] }),
      nodeOf('dev-wk-2', { internalAddresses: [] }),
      // That others have addresses in the network is well: one that the inventory wants is a refusal.
      observing((observed) => ({ ...observed, taken: [{ address: '10.0.0.9', owner: 'VM 104 (db) on pve2' }] })),
    ),
    codes: ['ICH0412 blocks 10.0.3.233'],
  },
  {
    defect: 'etcd has no space, and the data of another member is corrupt',
    change: (facts) => {
      const members = facts.observed.etcd.seen ? (facts.observed.etcd.value?.members ?? []) : []
      const raised = (at: number, alarm: 'nospace' | 'corrupt') => ({ member: members[at]?.id ?? '', alarm })
      return { ...facts, alarms: seen([raised(0, 'nospace'), raised(1, 'corrupt')]) }
    },
    codes: ['ICH0502 blocks dev-cp-1', 'ICH0502 blocks dev-cp-2'],
  },
  {
    defect: 'the database of a member is almost full of data',
    change: etcdOf('dev-cp-1', { dbSize: 1.7 * GiB, dbSizeInUse: 1.6 * GiB }),
    codes: ['ICH0503 warns dev-cp-1'],
  },
  {
    defect: 'the database is half empty, and its limit was raised',
    change: both(
      talosOf('dev-cp-1', {
        config: seen('cluster:\n  etcd:\n    extraArgs:\n      quota-backend-bytes: "8589934592"\n'),
      }),
      etcdOf('dev-cp-1', { dbSize: 2 * GiB, dbSizeInUse: 0.4 * GiB }),
    ),
    codes: ['ICH0507 info dev-cp-1'],
  },
  {
    defect: 'a member is thousands of changes behind',
    change: etcdOf('dev-cp-2', { appliedIndex: 1000 }),
    codes: ['ICH0504 warns dev-cp-2'],
  },
  {
    defect: 'a member has been learning for an hour',
    change: both(
      ofEtcd([2], true),
      etcdOf('dev-cp-3', { isLearner: true }),
      inMachine('dev-cp-3', () => ({
        services: seen([{ id: 'etcd', state: 'Running', message: '', changedAt: now - 60 * minute }]),
      })),
    ),
    codes: ['ICH0505 blocks dev-cp-3', 'ICH0504 warns dev-cp-3', 'ICH0506 warns etcd'],
  },
  {
    defect: 'the disk of a member is slow',
    change: inMachine('dev-cp-1', ({ controlPlane }) =>
      controlPlane === undefined ? {} : { controlPlane: { ...controlPlane, slowWrites: seen([1200, 1800, 2500]) } },
    ),
    codes: ['ICH0508 warns dev-cp-1'],
  },
  {
    defect: 'a member advertises the address of another network',
    change: observing((observed) =>
      observed.etcd.seen && observed.etcd.value !== undefined
        ? {
            ...observed,
            etcd: seen({
              ...observed.etcd.value,
              members: observed.etcd.value.members.map((member, at) =>
                at === 0 ? { ...member, peerUrls: ['https://172.16.0.5:2380'] } : member,
              ),
              owners: { ...observed.etcd.value.owners, [observed.etcd.value.members[0]?.id ?? '']: 'dev-cp-1' },
            }),
          }
        : observed,
    ),
    codes: ['ICH0509 warns dev-cp-1'],
  },
  {
    defect: 'a member has no machine',
    change: observing((observed) =>
      observed.etcd.seen && observed.etcd.value !== undefined
        ? {
            ...observed,
            etcd: seen({
              ...observed.etcd.value,
              members: [
                ...observed.etcd.value.members,
                { id: 'dead', hostname: 'old-cp', peerUrls: [], isLearner: false },
              ],
            }),
          }
        : observed,
    ),
    codes: ['ICH0506 warns etcd', 'ICH0510 warns old-cp'],
  },
  {
    defect: 'a budget allows nothing, and a volume is not attached',
    change: inKubernetes({
      budgets: seen([
        { namespace: 'db', name: 'pg', expected: 3, healthy: 2, allowed: 0, since: now - 20 * minute },
        { namespace: 'db', name: 'new', expected: 3, healthy: 2, allowed: 0, since: now - minute },
      ]),
      attachments: seen([
        { ...attachment, driver: 'x', volume: 'pvc-2', isAttached: false, since: now - 6 * minute },
        { ...attachment, driver: 'x', volume: 'pvc-3', isAttached: false, error: 'exit status 7' },
      ]),
    }),
    codes: ['ICH0601 warns db/pg', 'ICH0601 warns pvc-2', 'ICH0601 warns pvc-3'],
  },
  {
    defect: 'a kubelet waits for its certificate',
    change: inKubernetes({
      requests: seen([
        {
          name: 'csr-1',
          requester: 'system:node:dev-wk-1',
          signer: 'kubernetes.io/kubelet-serving',
          since: now - 11 * minute,
        },
        { name: 'csr-2', requester: 'ada', signer: 'kubernetes.io/kube-apiserver-client', since: now - day },
      ]),
    }),
    codes: ['ICH0605 warns dev-wk-1'],
  },
  {
    defect: 'a disk was copied',
    change: ofKubernetes(({ nodes }) => ({
      nodes: nodes.map((node) => (node.name.includes('-wk-') ? { ...node, machineId: 'abc' } : node)),
    })),
    codes: ['ICH0606 warns dev-wk-1'],
  },
  {
    defect: 'a kubelet took the wrong address',
    change: both(
      changing('dev-wk-1', () => ({ address: '10.0.7.208' })),
      nodeOf('dev-wk-1', { internalAddresses: ['172.16.0.5'] }),
    ),
    codes: ['ICH0607 warns dev-wk-1'],
  },
  {
    defect: 'a required webhook has no pod',
    change: inKubernetes({
      webhooks: seen([
        { name: 'kyverno', service: { namespace: 'kyverno', name: 'svc' }, isRequired: true, hasBackend: false },
        { name: 'good', service: { namespace: 'good', name: 'svc' }, isRequired: true, hasBackend: true },
      ]),
    }),
    codes: ['ICH0608 blocks kyverno'],
  },
  {
    defect: 'a cordon of ours and one of somebody else',
    change: both(
      nodeOf('dev-wk-1', { unschedulable: true, annotations: { 'ichor.dev/cordoned': 'true' } }),
      nodeOf('dev-wk-2', { unschedulable: true, annotations: {} }),
    ),
    codes: ['ICH0609 warns dev-wk-1', 'ICH0609 info dev-wk-2'],
  },
  {
    defect: 'two pod networks',
    change: ofKubernetes(() => ({
      podNetworks: [
        { provider: 'flannel', daemonSet: 'kube-system/kube-flannel' },
        { provider: 'Cilium', daemonSet: 'kube-system/cilium' },
      ],
    })),
    codes: ['ICH0610 blocks dev'],
  },
  {
    defect: 'the cloud controller does not initialize a node',
    change: nodeOf('dev-wk-1', taint('node.cloudprovider.kubernetes.io/uninitialized')),
    codes: ['ICH0611 blocks dev-wk-1'],
  },
  {
    defect: 'a node has the zone of another host',
    change: both(
      changing('dev-wk-1', () => ({ host: 'pve1' })),
      nodeOf('dev-wk-1', { labels: { 'topology.kubernetes.io/zone': 'pve2' } }),
      nodeOf('dev-wk-2', { labels: { 'topology.kubernetes.io/zone': 'rack-7' } }),
    ),
    codes: ['ICH0612 warns dev-wk-1'],
  },
  {
    defect: 'a node cannot attach another volume',
    change: inKubernetes({
      drivers: seen([{ node: 'dev-wk-1', driver: 'x', limit: 2 }]),
      attachments: seen(['a', 'b'].map((name) => ({ ...attachment, name, driver: 'x' }))),
    }),
    codes: ['ICH0613 warns dev-wk-1'],
  },
  {
    defect: 'a node runs out of memory',
    change: nodeOf('dev-wk-1', taint('node.kubernetes.io/memory-pressure')),
    codes: ['ICH0614 warns dev-wk-1'],
  },
  {
    defect: 'Proxmox does not have a volume that Kubernetes has attached',
    change: inKubernetes({
      attachments: seen([attachment]),
      volumes: seen([{ name: 'pvc-1', driver: proxmoxCsi, handle: 'home/pve1/local-lvm/vm-9999-pvc-1' }]),
    }),
    codes: ['ICH0615 warns pvc-1'],
  },
  {
    defect: 'Cilium masquerades, and DNS is forwarded to the host',
    change: both(
      inKubernetes({ cilium: seen({ 'enable-bpf-masquerade': 'true' }) }),
      ...['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1'].map((name) =>
        changing(name, ({ talos }) =>
          talos.reach === 'secured' && talos.config.seen
            ? { talos: { ...talos, config: seen(talos.config.value.replace('ToHost: true', 'ToHost: false')) } }
            : {},
        ),
      ),
    ),
    codes: ['ICH0702 warns dev'],
  },
  {
    defect: 'an addon was removed, another never finished, a third is missing',
    change: both(
      (facts) => ({ ...facts, addons: [{ name: 'cert_manager', version: '1.20.0' }] }),
      ofKubernetes(() => ({
        addons: [
          { name: 'loki', title: 'Loki', version: '3', healthy: true, spec: '', managedBy: 'ichor', holdsData: false },
        ],
      })),
      inKubernetes({ addonJobs: seen([{ namespace: 'ichor', name: 'helm-traefik', addon: 'traefik' }]) }),
    ),
    codes: ['ICH0703 warns loki', 'ICH0703 warns traefik', 'ICH0704 warns cert_manager'],
  },
  {
    defect: 'a node of Longhorn has no iSCSI',
    change: inKubernetes({ drivers: seen([longhorn]) }),
    codes: ['ICH0705 blocks dev-wk-1'],
  },
  {
    defect: 'the certificate of a host ends in five days',
    change: onHost('pve1', () => ({
      certificates: seen([
        { name: 'pve-ssl.pem', expires: now + 20 * day },
        { name: 'pveproxy-ssl.pem', expires: now + 5 * day },
      ]),
    })),
    codes: ['ICH0802 blocks pve1'],
  },
  {
    defect: 'an API server cannot read Secrets',
    change: (facts) => ({ ...facts, unreadable: [{ machine: 'dev-cp-1', why: 'No key fits.' }] }),
    codes: ['ICH0803 blocks dev-cp-1'],
  },
  {
    defect: 'two snapshots were missed',
    change: (facts) => ({
      ...facts,
      backup: seen({ newest: { name: 'dev-1', takenAt: now - 3 * day }, dueSince: now - 2 * day, drilledAt: now }),
    }),
    codes: ['ICH0901 warns backup'],
  },
  {
    defect: 'the backup job was disabled',
    with: { backup: { etcd: { schedule: '0 3 * * *' }, machines: { schedule: 'sun 02:00', datastore: 'pbs' } } },
    change: ofProxmox(() => ({
      backupJobs: seen([
        {
          id: 'ichor-dev-machines',
          schedule: 'sun 02:00',
          storage: 'pbs',
          enabled: false,
          what: { pool: 'ichor-dev' },
          settings: {},
        },
      ]),
    })),
    codes: ['ICH0904 warns ichor-dev-machines'],
  },
  {
    defect: 'the machines of a host fit nowhere else, and a host has promised too much',
    change: both(
      withGuest('big-2', { host: 'pve2', memory: 50 * GiB }),
      withGuest('big-3', { host: 'pve3', vmid: 501, memory: 80 * GiB }),
      ofProxmox(({ hosts }) => ({ hosts: hosts.map((one) => ({ ...one, memoryUsed: 63 * GiB })) })),
    ),
    codes: ['ICH1003 warns pve3', 'ICH1001 info pve1'],
  },
  {
    defect: 'a guest is larger than declared',
    with: { guests: [{ name: 'nas', host: 'pve1', cpu: 2, ram: '2GiB', vmid: 500 }] },
    change: withGuest('nas'),
    codes: ['ICH1004 warns nas'],
  },
  {
    defect: 'a machine is not where it is pinned',
    change: (facts) => ({
      ...facts,
      inventory: {
        ...facts.inventory,
        machines: facts.inventory.machines.map((one) =>
          one.name === 'dev-wk-1'
            ? { ...one, host: facts.observed.machines.find(({ name }) => name === 'dev-wk-2')?.host ?? '' }
            : one,
        ),
      },
    }),
    codes: ['ICH1005 info dev-wk-1'],
  },
  {
    defect: 'guests of others use the reserve',
    with: { reserve: { pve1: { ram: '20GiB' } } },
    change: withGuest('greedy', { memory: 50 * GiB }),
    codes: ['ICH1006 warns pve1'],
  },
  {
    defect: 'a machine has fallen back to its old image',
    change: talosOf('dev-wk-1', { version: 'v1.12.4' }),
    codes: ['ICH1102 warns dev'],
  },
  {
    defect: 'a kubelet is much older than its API server',
    change: both(
      nodeOf('dev-wk-1', { kubeletVersion: 'v1.30.0' }),
      ofKubernetes(({ nodes }) => ({
        nodes: nodes.map((node) => (node.name === 'dev-wk-1' ? { ...node, kubeletVersion: 'v1.30.0' } : node)),
      })),
    ),
    codes: ['ICH1103 blocks dev-wk-1'],
  },
  {
    defect: 'members have different versions',
    change: etcdOf('dev-cp-1', { version: '3.5.26' }),
    codes: ['ICH1104 info etcd'],
  },
  {
    defect: 'hosts run different kernels',
    change: hostStatus('pve2', { kernel: 'Linux 6.8.12-15-pve #1 SMP' }),
    codes: ['ICH1105 info Proxmox'],
  },
]

test.each(rows)('$defect', async ({ with: keys, change = (facts) => facts, codes }) => {
  expect(found(change(await healthyFacts(keys)))).toEqual(codes)
})

test('a part that could not be seen is unknown, and nothing is said of it', async () => {
  const blind = inMachine('dev-wk-1', () => ({ services: unseen('no answer in time') }))(await healthyFacts())
  expect(findFindings(findingDefinitions, blind)).toEqual({
    findings: [],
    unknown: [{ what: 'the services of dev-wk-1', why: 'no answer in time' }],
  })
})

test.each(rows)(
  '$defect: ichor up has work where it is the cure',
  async ({ with: keys, change = (facts) => facts }) => {
    const facts = change(await healthyFacts(keys))
    const isAdvised = findFindings(findingDefinitions, facts).findings.some(({ cure }) => cure?.command === 'ichor up')
    const plan = planOf(specFor(facts.inventory), facts.observed)
    expect(isAdvised && plan.steps.length === 0).toBe(false)
  },
)

test.each(rows)('$defect: found or unknown, whatever is hidden', async ({ with: keys, change = (facts) => facts }) => {
  expect(partsCalledWell(change(await healthyFacts(keys)))).toEqual({})
})

const withHighAvailability: Change = both(
  examining(() => ({ ha: seen({ hosts: [], services: [] }) })),
  ofProxmox(() => ({ contents: [{ host: 'pve1', storage: 'local', content: 'iso', volumes: seen([]) }] })),
)

test('whatever a finding needs can be unknown', async () => {
  const facts = withHighAvailability(await healthyFacts())
  const needs = new Set(findingDefinitions.flatMap((definition) => definition.needs))
  const hidden = Object.values(hiddenParts).map((hide) => hide(facts))
  const never = [...needs].filter((need) =>
    hidden.every((seenNow) => unknownNeeds(new Set([need]), seenNow).length === 0),
  )
  expect(never).toEqual([])
})
