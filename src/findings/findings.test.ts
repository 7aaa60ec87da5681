import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type Change,
  changing,
  day,
  healthyFacts,
  now,
  observing,
  ofEtcd,
  ofKubernetes,
  ofProxmox,
  withOptions,
} from '../../tests/support/facts.js'
import { partsCalledWell } from '../../tests/support/hidden-parts.js'
import { afterMishap } from '../../tests/support/worlds.js'
import { seen, unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { withoutMember } from '../etcd/planned-etcd.js'
import type { ObservedMachine } from '../observe/observed.js'
import { seedSerial } from '../vm/seed.js'
import { byCause } from './by-cause.js'
import type { Facts } from './facts.js'
import { findFindings } from './find-findings.js'
import { findingDefinitions } from './index.js'
import { talosSilent } from './machines/talos-silent.js'
import * as addonsNotes from './notes/addons.js'
import * as backupsNotes from './notes/backups.js'
import type { Note } from './notes/define-note.js'
import * as etcdNotes from './notes/etcd.js'
import * as inventoryNotes from './notes/inventory.js'
import * as machinesNotes from './notes/machines.js'
import * as placementNotes from './notes/placement.js'
import * as proxmoxNotes from './notes/proxmox.js'
import * as secretsNotes from './notes/secrets.js'
import * as versionsNotes from './notes/versions.js'
import { notConverging } from './refusals/runs.js'

/** Everything that a plan may note. */
const notes = [
  addonsNotes,
  backupsNotes,
  etcdNotes,
  inventoryNotes,
  machinesNotes,
  placementNotes,
  proxmoxNotes,
  secretsNotes,
  versionsNotes,
].flatMap((subject) => Object.values<Note>(subject))

const found = (facts: Facts) =>
  findFindings(findingDefinitions, facts).findings.map(({ code, subject }) => `${code} ${subject.name}`)

const ended = ({ talos }: ObservedMachine): Partial<ObservedMachine> =>
  talos.reach === 'secured' ? { talos: { ...talos, etcdEnd: 'Runner Containerd(etcd) exited without error' } } : {}
const removedFromEtcd: Change = observing((observed) => ({
  ...observed,
  etcd: withoutMember(observed.etcd, 'dev-cp-3'),
}))

test('nothing is found in a healthy cluster, and nothing is unknown', async () => {
  expect(findFindings(findingDefinitions, await healthyFacts())).toEqual({ findings: [], unknown: [] })
})

const rows: { defect: string; change: Change; codes: string[] }[] = [
  { defect: 'Proxmox has lost its quorum', change: ofProxmox(() => ({ quorate: false })), codes: ['ICH0201 Proxmox'] },
  {
    defect: 'a storage is not available',
    change: ofProxmox(({ storages }) => ({
      storages: storages.map((one) => ({ ...one, available: one.host !== 'pve1' || one.storage !== 'local-lvm' })),
    })),
    codes: ['ICH0204 local-lvm'],
  },
  {
    defect: 'a VM was deleted',
    change: observing((observed) => afterMishap(observed, 'dev-wk-1', 'it is gone')),
    codes: ['ICH0301 dev-wk-1', 'ICH0604 dev-wk-1'],
  },
  {
    defect: 'a VM is stopped',
    change: changing('dev-wk-1', () => ({ status: 'stopped', talos: { reach: 'off' } })),
    codes: ['ICH0302 dev-wk-1'],
  },
  {
    defect: 'a machine was shut down with the cluster',
    change: changing('dev-wk-1', ({ mark }) => ({
      status: 'stopped',
      talos: { reach: 'off' },
      mark: { ...mark, more: { shutdown: '2026-11-18T11:00:00.000Z' } },
    })),
    codes: ['ICH0320 dev', 'ICH0302 dev-wk-1'],
  },
  {
    defect: 'Talos is silent',
    change: changing('dev-wk-1', () => ({ talos: { reach: 'silent', reason: 'timed out' } })),
    codes: ['ICH0303 dev-wk-1'],
  },
  {
    defect: 'QEMU waits for the disk',
    change: changing('dev-wk-1', () => ({ talos: { reach: 'silent', reason: 'paused', halted: 'io-error' } })),
    codes: ['ICH0304 dev-wk-1'],
  },
  {
    defect: 'a copy of a machine appears',
    change: observing((observed) => ({
      ...observed,
      unverified: [{ host: 'pve1', vmid: 7000, because: 'copy', text: 'VM 7000 is a copy of dev-wk-1.' }],
    })),
    codes: ['ICH0305 VM 7000'],
  },
  {
    defect: 'the ISO is still in the drive',
    change: withOptions('dev-wk-1', { ide2: 'local:iso/talos.iso,media=cdrom', boot: 'order=ide2;scsi0' }),
    codes: ['ICH0306 dev-wk-1'],
  },
  { defect: 'the CPU is too old', change: withOptions('dev-wk-1', { cpu: 'kvm64' }), codes: ['ICH0307 dev-wk-1'] },
  {
    defect: 'ballooning is on',
    change: withOptions('dev-wk-1', { memory: '8192', balloon: '2048' }),
    codes: ['ICH0308 dev-wk-1'],
  },
  {
    defect: 'a volume has no disk, and Secure Boot is off',
    change: changing('dev-wk-1', ({ talos }) =>
      talos.reach === 'secured'
        ? {
            talos: {
              ...talos,
              problems: [
                { kind: 'volume', text: 'the volume data is failed', fix: 'ichor up' },
                { kind: 'secure-boot', text: 'it has booted without Secure Boot', fix: 'replace it' },
              ],
            },
          }
        : {},
    ),
    codes: ['ICH0312 dev-wk-1', 'ICH0313 dev-wk-1'],
  },
  { defect: 'a VM is locked', change: changing('dev-wk-1', () => ({ lock: 'backup' })), codes: ['ICH0309 dev-wk-1'] },
  {
    defect: 'a run was interrupted',
    change: (facts) => ({ ...facts, lastProblem: 'the last run was interrupted' }),
    codes: ['ICH0310 dev'],
  },
  {
    defect: 'up refuses',
    change: (facts) => ({
      ...facts,
      refused: notConverging.refuse('No.', {
        subject: { kind: 'object', name: 'here' },
        fix: 'Do this.',
        where: 'here',
      }).findings,
    }),
    codes: ['ICH0371 here'],
  },
  {
    defect: 'etcd has lost its majority',
    change: ofEtcd([0, 1]),
    codes: ['ICH0501 etcd', 'ICH0505 dev-cp-1', 'ICH0505 dev-cp-2'],
  },
  {
    defect: 'no machine has the data of etcd any more',
    change: observing((observed) => ({
      ...['dev-cp-1', 'dev-cp-2', 'dev-cp-3'].reduce((left, name) => afterMishap(left, name, 'it is gone'), observed),
      secrets: { ...observed.secrets, bootstrapped: true },
      etcd: seen(undefined),
      kubernetes: seen(undefined),
    })),
    codes: ['ICH0501 etcd', 'ICH0301 dev-cp-1', 'ICH0301 dev-cp-2', 'ICH0301 dev-cp-3'],
  },
  {
    defect: 'two control planes are deleted, and the third one alone cannot list the members',
    change: observing((observed) => ({
      ...['dev-cp-1', 'dev-cp-2'].reduce((left, name) => afterMishap(left, name, 'it is gone'), observed),
      secrets: { ...observed.secrets, bootstrapped: true },
      etcd: unseen('dev-cp-3 does not answer'),
      kubernetes: unseen('nobody answers'),
    })),
    codes: ['ICH0501 etcd', 'ICH0301 dev-cp-1', 'ICH0301 dev-cp-2'],
  },
  { defect: 'one member is sick', change: ofEtcd([2]), codes: ['ICH0505 dev-cp-3'] },
  {
    defect: 'the etcd of a control plane ends whenever it is started, and its member was removed',
    change: (facts) => removedFromEtcd(changing('dev-cp-3', ended)(facts)),
    codes: ['ICH0505 dev-cp-3', 'ICH0506 etcd'],
  },
  { defect: 'a member only learns', change: ofEtcd([2], true), codes: ['ICH0505 dev-cp-3', 'ICH0506 etcd'] },
  {
    defect: 'a node stands twice',
    change: ofKubernetes(({ nodes }) => ({ nodes: [...nodes, ...nodes.slice(0, 1)] })),
    codes: ['ICH0602 dev-cp-1'],
  },
  {
    defect: 'a node is not Ready',
    change: changing('dev-wk-1', ({ node }) => (node === undefined ? {} : { node: { ...node, ready: false } })),
    codes: ['ICH0603 dev-wk-1'],
  },
  {
    defect: 'a node has no machine',
    change: ofKubernetes(({ nodes }) => ({
      nodes: [...nodes, ...nodes.slice(0, 1).map((node) => ({ ...node, name: 'old', systemUuid: 'other' }))],
    })),
    codes: ['ICH0604 old'],
  },
  {
    defect: 'an addon is not healthy',
    change: ofKubernetes(() => ({
      addons: [{ name: 'cilium', version: '1.19.6', healthy: false, reason: '1 of 3 pods', spec: '' }],
    })),
    codes: ['ICH0701 cilium'],
  },
  {
    defect: 'a token expires',
    change: (facts) => ({ ...facts, expiries: [{ name: 'token ichor@pve!run', expires: '2026-11-20T00:00:00Z' }] }),
    codes: ['ICH0801 token ichor@pve!run'],
  },
  {
    defect: 'there is no snapshot',
    change: (facts) => ({
      ...facts,
      observed: { ...facts.observed, secrets: { ...facts.observed.secrets, bootstrapped: true } },
      backup: seen({}),
    }),
    codes: ['ICH0902 backup'],
  },
  {
    defect: 'nobody has drilled',
    change: (facts) => ({ ...facts, backup: seen({ newest: { name: 'dev-1', takenAt: now - day } }) }),
    codes: ['ICH0903 backup'],
  },
  {
    defect: 'all control planes share a host',
    change: observing((observed) => ({
      ...observed,
      machines: observed.machines.map((machine) => ({ ...machine, host: 'pve1' })),
    })),
    codes: ['ICH1002 pve1'],
  },
]

test.each(rows)('$defect: found', async ({ change, codes }) => {
  expect(found(change(await healthyFacts()))).toEqual(codes)
})

test.each(rows)('$defect: found or unknown, whatever is hidden', async ({ change }) => {
  expect(partsCalledWell(change(await healthyFacts()))).toEqual({})
})

test.each([
  {
    hosts: 'three hosts are online',
    offline: [],
    fix: /^Move one of them: run `qm migrate 20\d\d pve[23] --online --with-local-disks` as root on pve1\.$/,
  },
  {
    hosts: 'one of three is offline',
    offline: ['pve3'],
    fix: /^The hosts that are online are too few to spread them: bring pve3 back, or add a host\.$/,
  },
])('control planes that share a host while $hosts: the fix spreads them, or says what it lacks', async (row) => {
  const facts = await healthyFacts()
  const { machines, proxmox } = facts.observed
  const hosts = proxmox.hosts.map((host) => ({ ...host, online: !row.offline.includes(host.name) }))
  const at = (name: string, host: string) => (/-cp-[12]$/.test(name) ? 'pve1' : host === 'pve1' ? 'pve2' : host)
  const observed = {
    ...facts.observed,
    proxmox: { ...proxmox, hosts },
    machines: machines.map((machine) => ({
      ...machine,
      host: machine.name.endsWith('-cp-3') && row.offline.length > 0 ? 'pve2' : at(machine.name, machine.host),
    })),
  }
  const { findings } = findFindings(findingDefinitions, { ...facts, observed })
  const shared = findings.find(({ code }) => code === 'ICH1002')
  expect(shared).toMatchObject({ title: '2 of 3 control planes are on host pve1.' })
  expect(shared?.cure?.command).toBeUndefined()
  expect(shared?.cure?.text).toMatch(row.fix)
})

test('a dead host is one finding, with everything that hangs on it below', async () => {
  const facts = await healthyFacts()
  const { machines, proxmox } = facts.observed
  const lost = machines.filter(({ host }) => host === 'pve2')
  const observed = {
    ...facts.observed,
    proxmox: {
      ...proxmox,
      hosts: proxmox.hosts.map((host) => ({ ...host, online: host.name !== 'pve2' })),
      unreadHosts: [{ host: 'pve2', why: 'pve2 is offline' }],
    },
    machines: machines.filter(({ host }) => host !== 'pve2'),
    unverified: lost.map(({ name, host, vmid }) => ({ host, vmid, because: 'away', holds: name, text: '' }) as const),
  }
  const { findings, unknown } = findFindings(findingDefinitions, ofEtcd([1])({ ...facts, observed }))
  expect(byCause(findings).map(({ finding }) => finding.code)).toEqual(['ICH0203'])
  expect(byCause(findings)[0]?.effects.map(({ subject }) => subject.name)).toEqual(['dev-cp-2', 'dev-wk-2', 'dev-cp-2'])
  expect(unknown).toEqual([{ what: 'the VMs on host pve2', why: 'pve2 is offline' }])
})

test.each<{ lost: string; change: Change }>([
  { lost: 'the majority', change: ofEtcd([0, 1]) },
  {
    lost: 'everything',
    change: observing((observed) => ({
      ...observed,
      machines: [],
      secrets: { ...observed.secrets, bootstrapped: true },
      etcd: seen(undefined),
      kubernetes: seen(undefined),
    })),
  },
])('the newest snapshot is named where $lost is lost', async ({ change }) => {
  const { findings } = findFindings(findingDefinitions, change(await healthyFacts()))
  expect(findings[0]).toMatchObject({ code: 'ICH0501', cure: { command: 'ichor restore dev-1' } })
})

test.each<{ source: string; change: Change; what: string }>([
  { source: 'etcd', change: observing((seenNow) => ({ ...seenNow, etcd: unseen('timed out') })), what: 'etcd' },
  {
    source: 'Kubernetes',
    change: observing((seenNow) => ({ ...seenNow, kubernetes: unseen('timed out') })),
    what: 'Kubernetes',
  },
  { source: 'the store', change: (facts) => ({ ...facts, backup: unseen('timed out') }), what: 'etcd snapshots' },
])('what cannot be seen of $source is unknown, never well', async ({ change, what }) => {
  const { unknown } = findFindings(findingDefinitions, change(await healthyFacts()))
  expect(unknown).toEqual([{ what, why: 'timed out' }])
})

test('a silent machine is named with where its address comes from, and with a seed that it has not read', async () => {
  const silent = await changing('dev-wk-1', ({ options }) => ({
    talos: { reach: 'silent', reason: 'timed out.' },
    options: { ...options, scsi9: `local-lvm:vm-3000-disk-9,serial=${seedSerial}` },
  }))(await healthyFacts())
  const cureWith = (dhcp: boolean) => {
    const machine = { name: 'dev-wk-1', nics: [{ dhcp, mac: '02:00:00:00:00:01', bridge: 'vmbr0' }] }
    const desired = { machines: [{ machine, address: '10.0.10.20' }] } as unknown as Desired
    return findFindings([talosSilent], { ...silent, desired }).findings[0]
  }
  expect(cureWith(false)).toMatchObject({
    detail: 'timed out. Its seed, which holds the keys of the cluster, is attached.',
    cure: { text: expect.stringContaining('Its address must be the one in the inventory. ichor up waits for it') },
  })
  expect(cureWith(true)?.cure?.text).toContain(
    'It needs the lease 10.0.10.20 for 02:00:00:00:00:01 on vmbr0: ichor render --dhcp dnsmasq',
  )
})

test('every code stands once, and has its section in the documentation', () => {
  const sections = [...readFileSync('docs/findings.md', 'utf8').matchAll(/^### (ICH\d{4}) (.+)$/gm)]
  const documented = sections.map(([, code, name]) => `${code} ${name}`)
  const defined = findingDefinitions.map(({ code, name }) => `${code} ${name}`)
  const noted = notes.map(({ code, name }) => `${code} ${name}`)
  expect(new Set(noted).size).toBe(noted.length)
  // A note has the code and the name of the finding that is the same thing.
  expect(documented).toEqual([...defined, ...noted.filter((one) => !defined.includes(one))].toSorted())
})
