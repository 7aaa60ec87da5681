import fc from 'fast-check'
import { type Seen, seen, unseen } from '../../src/cluster/seen.js'
import type { Desired } from '../../src/desired/desired.js'
import type {
  Observed,
  ObservedEtcd,
  ObservedKubernetes,
  ObservedMachine,
  UnverifiedVm,
} from '../../src/observe/observed.js'
import { anInventory } from './inventories.js'
import { aForeignVm, aWorld, carriedOut, planOf, specFor } from './worlds.js'

export const hosts = ['pve1', 'pve2', 'pve3']

interface Cluster {
  readonly spec: (observed: Observed) => Desired
  readonly made: Observed
}

/** Clusters with two workers by the number of their control planes, made as their inventories say. */
export const clusters = { 1: await aCluster(1), 3: await aCluster(3), 5: await aCluster(5) }

async function aCluster(controlPlanes: number): Promise<Cluster> {
  const spec = specFor(await anInventory({ controlPlanes, workers: 2, hosts }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const guests = made.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  return { spec, made: { ...made, proxmox: { ...made.proxmox, guests } } }
}

/** Hidden now and then: where most of it is hidden, nothing is planned at all. */
const isSeen = fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0)

/** What can be hidden of a machine, each for itself: its VM, everything inside it, or a part of that. */
const machineViews = fc.record({
  isRead: isSeen,
  isHeard: isSeen,
  isConfigSeen: isSeen,
  isPersistedSeen: isSeen,
  isSchematicSeen: isSeen,
  areRulesSeen: isSeen,
})
type MachineView = typeof machineViews extends fc.Arbitrary<infer V> ? V : never

/** Every part is seen or not, whatever the others are. */
export const views = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  isEtcdSeen: fc.boolean(),
  isKubernetesSeen: fc.boolean(),
  areDeprecationsSeen: fc.boolean(),
  areChartsSeen: fc.boolean(),
  areReleasesSeen: fc.boolean(),
  areJobsSeen: isSeen,
  isHaSeen: isSeen,
  isFirewallSeen: isSeen,
  unreadHosts: fc.subarray(hosts, { maxLength: 2 }),
  unreadStorages: fc.subarray(hosts),
  isTemplateHidden: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  isRemembered: fc.boolean(),
  machines: fc.array(machineViews, { minLength: 7, maxLength: 7 }),
})
export type View = typeof views extends fc.Arbitrary<infer V> ? V : never

/** All of it. */
export const wholeView: View = {
  controlPlanes: 3,
  isEtcdSeen: true,
  isKubernetesSeen: true,
  areDeprecationsSeen: true,
  areChartsSeen: true,
  areReleasesSeen: true,
  areJobsSeen: true,
  isHaSeen: true,
  isFirewallSeen: true,
  unreadHosts: [],
  unreadStorages: [],
  isTemplateHidden: false,
  isRemembered: true,
  machines: [],
}

type Hiding = readonly [what: string, hide: (view: View) => View]

/** Each part by itself. */
export const hidingOne: readonly Hiding[] = [
  ['a host', (view) => ({ ...view, unreadHosts: ['pve2'] })],
  ['a storage', (view) => ({ ...view, unreadStorages: ['pve2'] })],
  ['a template', (view) => ({ ...view, isTemplateHidden: true })],
  ...flagsOf(wholeView).map((part): Hiding => [part, (view) => ({ ...view, [part]: false })]),
  ...flagsOf(everything()).map(
    (part): Hiding => [
      `${part} of dev-cp-2`,
      (view) => ({ ...view, machines: [everything(), { ...everything(), [part]: false }] }),
    ],
  ),
]

function flagsOf(view: object): string[] {
  return Object.entries(view).flatMap(([part, value]) => (value === true ? [part] : []))
}

/** The same cluster, as somebody sees it from whom that much is hidden. */
export function through(view: View, made = clusters[view.controlPlanes].made): Observed {
  const all = made.machines.map((machine, index) => blinded(machine, view, view.machines[index]))
  const machines = all.flatMap(({ machine }) => machine ?? [])
  const answering = new Set(machines.filter(isAnswering).map(({ name }) => name))
  return {
    ...made,
    machines,
    unverified: [...all.flatMap(({ away }) => away ?? []), ...(view.isTemplateHidden ? [hiddenTemplate] : [])],
    secrets: { ...made.secrets, bootstrapped: view.isRemembered },
    etcd: etcdThrough(made.etcd, answering, view.isEtcdSeen),
    kubernetes: view.isKubernetesSeen && answering.size > 0 ? kubernetesThrough(made.kubernetes, view) : noKubernetes,
    ...(made.releases === undefined ? {} : { releases: hiddenUnless(view.areReleasesSeen, made.releases) }),
    proxmox: { ...made.proxmox, ...proxmoxThrough(made.proxmox, view) },
  }
}

const hiddenTemplate: UnverifiedVm = {
  host: 'pve3',
  vmid: 998,
  because: 'unread',
  mayBeTemplate: true,
  text: 'VM 998 is on pve3, which does not answer.',
}

function hiddenUnless<T>(isShown: boolean, part: Seen<T>): Seen<T> {
  return isShown ? part : unseen('it could not be read')
}

function proxmoxThrough({ backupJobs, ha, firewall }: Observed['proxmox'], view: View): Partial<Observed['proxmox']> {
  return {
    ...(backupJobs === undefined ? {} : { backupJobs: hiddenUnless(view.areJobsSeen, backupJobs) }),
    ...(ha === undefined ? {} : { ha: hiddenUnless(view.isHaSeen, ha) }),
    ...(firewall === undefined ? {} : { firewall: hiddenUnless(view.isFirewallSeen, firewall) }),
    unreadHosts: view.unreadHosts.map((host) => ({ host, why: `${host} does not answer` })),
    contents: hosts.map((host) => ({
      host,
      storage: 'local',
      content: 'import',
      volumes: hiddenUnless(!view.unreadStorages.includes(host), seen([])),
    })),
  }
}

function kubernetesThrough(kubernetes: Observed['kubernetes'], view: View): Observed['kubernetes'] {
  if (!kubernetes.seen || kubernetes.value === undefined) return kubernetes
  const { deprecated, charts } = kubernetes.value
  return seen({
    ...kubernetes.value,
    ...(deprecated === undefined ? {} : { deprecated: hiddenUnless(view.areDeprecationsSeen, deprecated) }),
    ...(charts === undefined ? {} : { charts: hiddenUnless(view.areChartsSeen, charts) }),
  })
}

export const noKubernetes: Seen<ObservedKubernetes | undefined> = unseen('no control plane answers')

function isAnswering({ mark, talos }: ObservedMachine): boolean {
  return mark.role === 'controlplane' && talos.reach === 'secured'
}

function everything(): MachineView {
  return {
    isRead: true,
    isHeard: true,
    isConfigSeen: true,
    isPersistedSeen: true,
    isSchematicSeen: true,
    areRulesSeen: true,
  }
}

function blinded(machine: ObservedMachine, view: View, hidden = everything()) {
  const { name, host, vmid } = machine
  if (!hidden.isRead || view.unreadHosts.includes(host)) {
    const text = `VM ${vmid} is on ${host}, which does not answer.`
    return { away: { name, host, vmid, because: 'away' as const, holds: name, text } }
  }
  const { node, talos, rules, ...rest } = machine
  return {
    machine: {
      ...rest,
      talos: blindedTalos(talos, hidden),
      ...(rules === undefined ? {} : { rules: hiddenUnless(hidden.areRulesSeen, rules) }),
      ...(node === undefined || !view.isKubernetesSeen ? {} : { node }),
    },
  }
}

/** What its API says to somebody from whom that much is hidden. */
export function blindedTalos(talos: ObservedMachine['talos'], hidden: Partial<MachineView>): ObservedMachine['talos'] {
  const shown = { ...everything(), ...hidden }
  if (!shown.isHeard) return { reach: 'silent', reason: 'no answer' }
  if (talos.reach !== 'secured') return talos
  const { config, persisted, schematic } = talos
  return {
    ...talos,
    config: hiddenUnless(shown.isConfigSeen, config),
    ...(persisted === undefined ? {} : { persisted: hiddenUnless(shown.isPersistedSeen, persisted) }),
    ...(schematic === undefined ? {} : { schematic: hiddenUnless(shown.isSchematicSeen, schematic) }),
  }
}

/** Members whose machines answer are well; where none answers, nothing is seen. */
function etcdThrough(
  etcd: Observed['etcd'],
  answering: ReadonlySet<string>,
  isSeen: boolean,
): Seen<ObservedEtcd | undefined> {
  if (!isSeen || answering.size === 0 || !etcd.seen || etcd.value === undefined) return unseen('nobody answers')
  const healthy = etcd.value.healthy.filter((id) => answering.has(id))
  return seen({ ...etcd.value, healthy, owners: Object.fromEntries(healthy.map((id) => [id, id])) })
}
