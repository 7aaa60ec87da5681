import { GiB } from '../../src/cluster/machine.js'
import { seen } from '../../src/cluster/seen.js'
import type { Examined, ExaminedHost, ExaminedMachine } from '../../src/examine/examined.js'
import type { ExaminedKubernetes } from '../../src/examine/examined-kubernetes.js'
import type { Facts } from '../../src/findings/facts.js'
import type { ObservedMachine } from '../../src/observe/observed.js'
import { anInventory } from './inventories.js'
import { aWorld, carriedOut, planOf, specFor } from './worlds.js'

export const now = Date.parse('2026-11-18T12:00:00Z')
export const day = 86_400_000
export const hosts = ['pve1', 'pve2', 'pve3']

/** A healthy cluster of three control planes and two workers, on three hosts, as a doctor sees it. */
export async function healthyFacts(more: Readonly<Record<string, unknown>> = {}): Promise<Facts> {
  const schedule = { etcd: { schedule: '0 3 * * *' } }
  const inventory = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { backup: schedule, ...more } })
  const spec = specFor(inventory)
  const empty = aWorld(hosts)
  const observed = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const backup = seen({ newest: { name: 'dev-1', takenAt: now - day }, dueSince: now - 2 * day, drilledAt: now - day })
  const expiries = [{ name: 'Talos CA', expires: '2036-01-01T00:00:00Z' }]
  return { inventory, observed, alarms: seen([]), examined: healthyExamined(observed), backup, expiries, now }
}

/** As seen from a computer without backups and with nothing but the inventory. */
export function plainFacts(
  inventory: Facts['inventory'],
  observed: Facts['observed'],
  more: Partial<Facts> = {},
): Facts {
  return { inventory, observed, expiries: [], backup: seen({}), now: Date.now(), ...more }
}

const clock = { offsetMs: now, uncertaintyMs: 20 }

function healthyExamined({ machines }: Facts['observed']): Examined {
  return {
    hosts: hosts.map(
      (name): ExaminedHost => ({
        name,
        status: seen({
          memory: { total: 64 * GiB, used: 20 * GiB },
          swap: { total: 8 * GiB, used: 0 },
          rootFilesystem: { total: 100 * GiB, used: 10 * GiB },
          cpuModel: 'Intel(R) Xeon(R) Gold 6230',
          kernel: 'Linux 6.14.11-4-pve #1 SMP',
          proxmoxVersion: '9.2.3',
        }),
        clock: seen(clock),
        thinPools: seen([
          { volumeGroup: 'pve', name: 'data', size: 1000, used: 300, metadataSize: 100, metadataUsed: 20 },
        ]),
        certificates: seen([{ name: 'pve-ssl.pem', expires: now + 300 * day }]),
      }),
    ),
    storages: seen([{ storage: 'local-lvm', type: 'lvmthin', thinPool: { volumeGroup: 'pve', name: 'data' } }]),
    lease: seen(undefined),
    load: seen({ hosts: [], machines: [] }),
    machines: machines.map(
      ({ name, mark, address = '' }): ExaminedMachine => ({
        name,
        platform: seen('nocloud'),
        extensions: seen(['qemu-guest-agent']),
        services: seen([{ id: 'kubelet', state: 'Running', healthy: true, message: 'Health check successful' }]),
        disks: seen([{ path: '/dev/sda', size: 20 * GiB, serial: '', symlinks: [] }]),
        ephemeralSize: seen(undefined),
        time: seen({ isSynced: true, isDisabled: false, clock: { node: now, server: now, reference: clock } }),
        diagnostics: seen([]),
        udp: seen({ received: 100_000, checksumErrors: 0 }),
        ...(mark.role === 'controlplane'
          ? {
              controlPlane: {
                discovered: seen(machines.map((machine) => machine.name)),
                addresses: seen([address]),
                etcd: seen({
                  member: name,
                  leader: name,
                  dbSize: 40 * 1024 ** 2,
                  dbSizeInUse: 30 * 1024 ** 2,
                  isLearner: false,
                  errors: [],
                  version: '3.6.12',
                  storageVersion: '3.6.0',
                  appliedIndex: 5000,
                }),
                slowWrites: seen([]),
              },
            }
          : {}),
      }),
    ),
    agents: machines.map(({ name }) => ({ name, answers: seen(true) })),
    kubernetes: {
      now,
      requests: seen([]),
      budgets: seen([]),
      webhooks: seen([]),
      attachments: seen([]),
      volumes: seen([]),
      drivers: seen([]),
      daemonSets: seen([{ namespace: 'kube-system', name: 'kube-flannel', wanted: 5, ready: 5 }]),
      deployments: seen([{ namespace: 'kube-system', name: 'coredns', wanted: 2, ready: 2 }]),
      components: seen({ 'kube-apiserver': 3, 'kube-controller-manager': 3, 'kube-scheduler': 3 }),
      cilium: seen(undefined),
      addonJobs: seen([]),
    },
  }
}

export type Change = (facts: Facts) => Facts

export const observing =
  (change: (observed: Facts['observed']) => Facts['observed']): Change =>
  (facts) => ({ ...facts, observed: change(facts.observed) })

export const changing = (name: string, change: (machine: ObservedMachine) => Partial<ObservedMachine>): Change =>
  observing((observed) => ({
    ...observed,
    machines: observed.machines.map((machine) =>
      machine.name === name ? { ...machine, ...change(machine) } : machine,
    ),
  }))

export const withOptions = (name: string, options: Readonly<Record<string, string>>): Change =>
  changing(name, (machine) => ({ options: { ...machine.options, ...options } }))

export const ofProxmox = (
  change: (proxmox: Facts['observed']['proxmox']) => Partial<Facts['observed']['proxmox']>,
): Change => observing((observed) => ({ ...observed, proxmox: { ...observed.proxmox, ...change(observed.proxmox) } }))

/** Of the members at these positions: they are not healthy, or only learn. */
export const ofEtcd = (sick: readonly number[], learner = false): Change =>
  observing((observed) => {
    if (!observed.etcd.seen || observed.etcd.value === undefined) return observed
    const { members, healthy, ...rest } = observed.etcd.value
    return {
      ...observed,
      etcd: seen({
        ...rest,
        members: members.map((member, at) => ({ ...member, isLearner: learner && sick.includes(at) })),
        healthy: healthy.filter((id) => !sick.some((at) => members[at]?.id === id)),
      }),
    }
  })

type Kubernetes = NonNullable<Extract<Facts['observed']['kubernetes'], { seen: true }>['value']>

export const ofKubernetes = (change: (kubernetes: Kubernetes) => object): Change =>
  observing((observed) => {
    const { kubernetes } = observed
    if (!kubernetes.seen || kubernetes.value === undefined) return observed
    return { ...observed, kubernetes: seen({ ...kubernetes.value, ...change(kubernetes.value) }) }
  })

/** What only a doctor sees. */
export const examining =
  (change: (examined: Examined) => Partial<Examined>): Change =>
  (facts) =>
    facts.examined === undefined ? facts : { ...facts, examined: { ...facts.examined, ...change(facts.examined) } }

export const onHost = (name: string, change: (host: ExaminedHost) => Partial<ExaminedHost>): Change =>
  examining(({ hosts: all }) => ({
    hosts: all.map((host) => (host.name === name ? { ...host, ...change(host) } : host)),
  }))

export const inMachine = (name: string, change: (machine: ExaminedMachine) => Partial<ExaminedMachine>): Change =>
  examining(({ machines }) => ({
    machines: machines.map((machine) => (machine.name === name ? { ...machine, ...change(machine) } : machine)),
  }))

export const inKubernetes = (change: Partial<ExaminedKubernetes>): Change =>
  examining(({ kubernetes }) => (kubernetes === undefined ? {} : { kubernetes: { ...kubernetes, ...change } }))
