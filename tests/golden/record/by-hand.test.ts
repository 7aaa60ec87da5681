import { expect, test } from 'vitest'
import { resolveAddons } from '../../../src/addons/resolve-addons.js'
import { GiB } from '../../../src/cluster/machine.js'
import {
  type RotationPhase,
  type RotationTarget,
  rotationPhases,
  rotationTargets,
} from '../../../src/cluster/rotation.js'
import { seen, unseen } from '../../../src/cluster/seen.js'
import { clusterComment } from '../../../src/cluster/tag.js'
import type { ClusterSpec } from '../../../src/desired/cluster-spec.js'
import type { DesiredRestore } from '../../../src/desired/desired.js'
import { PlanRefused } from '../../../src/errors.js'
import type { Inventory } from '../../../src/inventory/inventory.js'
import type { Observed, ObservedHostFirewall, ObservedMachine } from '../../../src/observe/observed.js'
import {
  administer,
  destroy,
  type Goal,
  removeAdministration,
  restoreFrom,
  shutDownAll,
  targeted,
  up,
} from '../../../src/operations/goals.js'
import { consentTo } from '../../../src/plan/consent.js'
import { plainDigest } from '../../../src/plan/digest.js'
import { planRounds } from '../../../src/rounds/plan-rounds.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { anInventory } from '../../support/inventories.js'
import { aForeignVm, afterMishap, aWorld, carriedOut } from '../../support/worlds.js'

/** Questions that no other test asks. Their answers are not judged here: they are recorded. */
const hosts = ['pve1', 'pve2', 'pve3']
const bundle = await generateBundle('v1.14')
const size = { cpu: 2, ram: '4GiB', disk: '40G' }

type Change = { readonly [Key in keyof ClusterSpec]?: ClusterSpec[Key] }

function specOf(inventory: Inventory, change: Change = {}): ClusterSpec {
  return {
    inventory,
    secrets: { bundle, memory: { bootstrapped: false, sealed: true, contract: 'v1.14', values: {} } },
    patches: { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} },
    addons: [],
    intent: {},
    until: 'healthy',
    ...change,
  }
}

function ask(spec: ClusterSpec, observed: Observed, goal: Goal = up): Observed {
  const desire = (now: Observed) => goal.desire(spec, now)
  try {
    const { steps } = planRounds({ desire, planRound: goal.planRound }, observed, plainDigest)
    return carriedOut(steps, desire(observed), observed)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(PlanRefused)
    return observed
  }
}

/** A cluster that was made from the inventory. */
function made(inventory: Inventory, change: Partial<ClusterSpec> = {}): Observed {
  const built = ask(specOf(inventory, change), aWorld(hosts))
  const guests = built.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  return { ...built, proxmox: { ...built.proxmox, guests } }
}

function withMachine(observed: Observed, name: string, change: (machine: ObservedMachine) => object): Observed {
  return {
    ...observed,
    machines: observed.machines.map((one) => (one.name === name ? { ...one, ...change(one) } : one)),
  }
}

function withProxmox(observed: Observed, change: Partial<Observed['proxmox']>): Observed {
  return { ...observed, proxmox: { ...observed.proxmox, ...change } }
}

const plain = await anInventory({ controlPlanes: 3, workers: 2, hosts })
const standing = made(plain)

test('the first run of all', () => {
  ask(specOf(plain, { secrets: undefined }), {
    ...aWorld(hosts),
    secrets: { present: false, bootstrapped: false, sealed: false },
  })
})

test.each(['vms', 'bootstrap', 'addons'] as const)('until %s', (until) => {
  ask(specOf(plain, { until }), aWorld(hosts))
})

test('every mark has its seal by now', () => {
  ask(specOf(plain), { ...standing, secrets: { ...standing.secrets, sealed: false } })
})

test('QEMU stopped a VM', () => {
  const halted = { reach: 'silent', reason: 'no answer', halted: 'internal-error' } as const
  ask(
    specOf(plain),
    withMachine(standing, 'dev-wk-1', () => ({ talos: halted })),
  )
})

test('only one machine is the target', () => {
  ask(specOf(plain), aWorld(hosts), targeted(up, ['dev-wk-2']))
  ask(specOf(plain), afterMishap(standing, 'dev-wk-2', 'memory was changed'), targeted(up, ['dev-wk-2']))
})

test('what is on the disks of workers is backed up, and not any more', async () => {
  const sizing = { control_plane: size, worker: { ...size, disks: ['100G'] } }
  const backup = { machines: { schedule: 'sun 02:00', datastore: 'backups', keep: 3 } }
  const wanted = await anInventory({ workers: 2, hosts, with: { sizing, backup } })
  const none = { backupJobs: seen([]) }
  const built = ask(specOf(wanted), withProxmox(aWorld(hosts), none))
  ask(specOf(await anInventory({ workers: 2, hosts, with: { sizing } })), built)
})

test('Proxmox HA: set, changed, removed, refused', async () => {
  const shared = {
    host: 'pve1',
    storage: 'ceph',
    type: 'rbd',
    content: ['images'],
    shared: true,
    available: true,
    total: 9000 * GiB,
    used: 0,
  }
  const ha = { proxmox: { target_nodes: hosts, datastore: 'ceph' }, placement: { ha: true } }
  const wanted = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: ha })
  const noHa = seen({ resources: [], groups: [], rules: [] })
  const empty = aWorld(hosts)
  const storages = [...empty.proxmox.storages, ...hosts.map((host) => ({ ...shared, host }))]
  const built = ask(specOf(wanted), withProxmox(empty, { storages, ha: noHa }))
  const apart = {
    type: 'resource-affinity',
    id: 'ichor-dev-stale',
    vmids: [2001, 2002],
    together: false,
    comment: clusterComment('dev'),
  } as const
  const current = built.proxmox.ha?.seen ? built.proxmox.ha.value : { resources: [], groups: [], rules: [] }
  ask(specOf(wanted), withProxmox(built, { ha: seen({ ...current, rules: [...current.rules, apart] }) }))
  ask(specOf(wanted), withProxmox(built, { ha: unseen('it could not be read') }))
  ask(specOf(await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { ...ha, placement: {} } })), built)
  ask(specOf(wanted), built, destroy)
  ask(specOf(await anInventory({ hosts, with: { placement: { ha: true } } })), withProxmox(empty, { ha: noHa }))
  ask(specOf(await anInventory({ with: { placement: { ha: true } } })), withProxmox(aWorld(['pve1']), { ha: noHa }))
})

const rotation = (what: RotationTarget, phase: RotationPhase, run = 'run-7') => ({ what, phase, run })
const rotating = (what: RotationTarget) => ({ intent: { rotating: { what, run: 'run-7', fresh: bundle.certs.etcd } } })

test.each(rotationTargets)('a rotation of %s, from each phase', async (what) => {
  const wanted = await anInventory({ controlPlanes: 3, workers: 1, hosts, with: { talos_version: 'v1.14.1' } })
  const before = made(wanted)
  ask(specOf(wanted, rotating(what)), before)
  for (const phase of rotationPhases) {
    const under = { ...before, secrets: { ...before.secrets, rotation: rotation(what, phase) } }
    ask(specOf(wanted, rotating(what)), under)
    ask(specOf(wanted), under)
  }
})

test('a rotation that is refused', async () => {
  const memory = { bootstrapped: true, sealed: true, contract: 'v1.13', values: {} }
  const older = { secrets: { bundle, memory } }
  ask(specOf(plain, { ...older, ...rotating('service-account-key') }), made(plain, older))
  ask(specOf(plain, rotating('talos-ca')), afterMishap(standing, 'dev-wk-1', 'it does not answer'))
  const other = { ...standing.secrets, rotation: rotation('kubernetes-ca', 'issue') }
  ask(specOf(plain, rotating('talos-ca')), { ...standing, secrets: other })
})

test('the firewall of the hosts', async () => {
  const firewall = { enabled: true, admin_networks: ['10.9.0.0/24'], hosts: true }
  const wanted = await anInventory({ workers: 1, hosts, with: { firewall } })
  const none: ObservedHostFirewall = {
    state: 'none',
    managers: [],
    members: [],
    addresses: ['10.0.0.11', '10.0.0.12'],
    hasRule: false,
    foreign: [{ vmid: 900, name: 'db' }],
    unread: [901],
  }
  const seenAs = (hostsSeen: ObservedHostFirewall, isOn: boolean) => ({
    firewall: seen({ isOn, groups: [], ipsets: [], hosts: hostsSeen }),
  })
  const built = ask(specOf(wanted), withProxmox(aWorld(hosts), seenAs(none, false)))
  const settled = {
    ...built,
    machines: built.machines.map((one) => ({ ...one, rules: one.rules ?? seen({ options: {}, groups: [] }) })),
  }
  ask(specOf(wanted), withProxmox(settled, seenAs(none, false)))
  ask(specOf(wanted), withProxmox(settled, seenAs({ ...none, state: 'tried' }, true)))
  const comment = up.desire(specOf(wanted), settled).hostFirewall?.comment ?? ''
  const stale = { cidr: '10.8.0.0/24', comment }
  ask(specOf(wanted), withProxmox(settled, seenAs({ ...none, state: 'enabled', managers: [stale] }, true)))
  const closed = await anInventory({ workers: 1, hosts, with: { firewall: { ...firewall, hosts: false } } })
  ask(specOf(closed), withProxmox(settled, seenAs({ ...none, state: 'enabled' }, true)))
  ask(specOf(wanted), withProxmox(settled, seenAs({ ...none, state: 'enabled' }, true)), destroy)
  ask(
    specOf(await anInventory({ workers: 1, hosts })),
    withProxmox(settled, seenAs({ ...none, state: 'ready' }, false)),
  )
  ask(specOf(wanted), withMachine(settled, 'dev-wk-1', tried))
})

test('a rollback, with the version of etcd', async () => {
  const version = (talos_version: string) =>
    anInventory({ controlPlanes: 3, workers: 1, hosts, with: { talos_version, kubernetes_version: 'v1.34.1' } })
  for (const [from, to] of [
    ['v1.13.9', 'v1.12.4'],
    ['v1.12.4', 'v1.11.5'],
    ['v1.14.1', 'v1.13.9'],
    ['v1.13.9', 'v1.13.8'],
  ] as const) {
    const running = made(await version(from))
    ask(specOf(await version(to), { intent: { rollback: true } }), running)
    ask(specOf(await version(from)), made(await version(to)))
  }
})

test('etcd is given up, and made again', () => {
  const isLeft = (name: string) => name === 'dev-cp-1' || !name.includes('-cp-')
  const etcd = standing.etcd.seen && standing.etcd.value ? { ...standing.etcd.value, healthy: [] } : undefined
  const lost = {
    ...standing,
    machines: standing.machines.filter(({ name }) => isLeft(name)),
    etcd: seen(etcd),
    kubernetes: unseen('no API server answers'),
  }
  ask(specOf(plain, { intent: { newEtcd: true } }), lost)
  ask(specOf(plain), lost)
})

test('the endpoint comes from DHCP, and is not known', async () => {
  const dhcp = { network: { mode: 'dhcp' } }
  const wanted = await anInventory({ workers: 1, hosts, with: dhcp })
  const built = ask(specOf(wanted), aWorld(hosts))
  ask(specOf(wanted), { ...built, machines: built.machines.map(({ address: _, ...machine }) => machine) })
  const gone = built.machines.filter(({ name }) => name !== 'dev-cp-1')
  const none = unseen('no control plane answers')
  ask(specOf(wanted), { ...built, machines: gone, etcd: none, kubernetes: none })
})

const restore: DesiredRestore = {
  snapshot: 'one',
  run: 'run-7',
  skipHashCheck: false,
  mayBeGone: false,
  overHealthy: false,
  members: [],
}

test('restores that are refused', () => {
  const during = (stage: 'clearing' | 'recovering', snapshot = 'other') =>
    ({
      ...standing,
      etcd: unseen('no control plane answers'),
      secrets: { ...standing.secrets, recovery: { snapshot, stage, run: 'run-6' } as Observed['secrets']['recovery'] },
    }) as Observed
  ask(specOf(plain), during('clearing'))
  ask(specOf(plain), during('recovering', 'sha256:0123456789abcdef'))
  ask(specOf(plain), during('recovering'), restoreFrom(restore))
  const off = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'].reduce(
    (world, name) => afterMishap(world, name, 'it was switched off'),
    standing,
  )
  ask(specOf(plain), off, restoreFrom(restore))
  ask(specOf(plain), standing, restoreFrom({ ...restore, overHealthy: true }))
  ask(specOf(plain), off, restoreFrom({ ...restore, mayBeGone: true }))
})

test('what destroy could leave behind', () => {
  ask(specOf(plain), withProxmox(standing, { backupJobs: unseen('no answer') }), destroy)
  ask(specOf(plain), standing, destroy)
})

test('what an administrator writes, and removes', async () => {
  const backup = { machines: { schedule: 'sun 02:00', datastore: 'backups', keep: 3, control_planes: true } }
  const firewall = { enabled: true, admin_networks: ['10.9.0.0/24'] }
  const wanted = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { backup, firewall } })
  const open = withProxmox(standing, {
    backupJobs: seen([]),
    firewall: seen({ isOn: true, groups: [], ipsets: [] }),
  })
  const written = ask(specOf(wanted), open, administer)
  ask(specOf(wanted), written, removeAdministration)
  ask(specOf(wanted), { ...written, machines: [], templates: [] }, removeAdministration)
})

test('a machine type on which an older config would not find its data disk', async () => {
  const disks = [{ size: '100G', volume: 'data' }]
  const sizing = { control_plane: size, worker: { ...size, disks } }
  const vm = { machine: 'pc-i440fx-10.0' }
  const more = { sizing, vm, talos_version: 'v1.9.5', kubernetes_version: 'v1.32.3' }
  const memory = { bootstrapped: false, sealed: true, contract: 'v1.9', values: {} }
  ask(specOf(await anInventory({ workers: 1, hosts, with: more }), { secrets: { bundle, memory } }), aWorld(hosts))
})

test('a VM was converted to a template', () => {
  const converted = ({ options }: ObservedMachine) => ({ options: { ...options, template: '1' }, status: 'stopped' })
  ask(specOf(plain), withMachine(standing, 'dev-wk-2', converted))
})

test('machines of others', () => {
  const text = 'VM 2000 on pve1 belongs to another cluster that is called dev as well.'
  const theirs = { host: 'pve1', vmid: 2000, because: 'other-cluster', holds: 'dev-cp-1', text } as const
  ask(specOf(plain), { ...aWorld(hosts), unverified: [theirs] })
})

test('an even number of control planes', async () => {
  ask(specOf(await anInventory({ controlPlanes: 2, workers: 2, hosts })), standing)
})

test('no image would move Kubernetes', () => {
  // Escaped, so that the patch itself does not name the component.
  const text = 'cluster:\n  apiServer: { image: "registry.example.com/kube-apiserve\\x72:v1.35.0" }\n'
  const controlPlane = [{ source: 'patch.yaml', line: 1, text }]
  const patches = { cluster: [], controlPlane, worker: [], pools: {}, nodes: {} }
  const memory = { bootstrapped: false, sealed: true, contract: 'v1.13', values: {} }
  const running = made(plain, { secrets: { bundle, memory } })
  const withImage = ({ talos }: ObservedMachine) => {
    if (talos.reach !== 'secured' || !talos.config.seen) return {}
    const config = talos.config.value.replace(
      /image: \S+kube-apiserver:\S+/,
      'image: registry.example.com/kube-apiserver:v1.35.0',
    )
    return { talos: { ...talos, config: seen(config) } }
  }
  const changed = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'].reduce(
    (world, name) => withMachine(world, name, withImage),
    running,
  )
  ask(specOf(plain, { patches, secrets: { bundle, memory } }), changed)
})

test('something has changed since the plan was shown', () => {
  const shownOn = afterMishap(standing, 'dev-wk-1', 'memory was changed')
  const spec = specOf(plain)
  const desire = (now: Observed) => up.desire(spec, now)
  const plan = planRounds({ desire, planRound: up.planRound }, shownOn, plainDigest)
  for (const [name, mishap] of [
    ['dev-wk-2', 'memory was changed'],
    ['dev-wk-1', 'it is gone'],
    ['dev-wk-1', 'it was switched off'],
  ] as const) {
    const later = afterMishap(shownOn, name, mishap)
    const consent = consentTo(plan, shownOn)
    try {
      consent(up.planRound(desire(later), later, 1))
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(PlanRefused)
    }
  }
})

test('a control plane that cannot be replaced', () => {
  const two = afterMishap(afterMishap(standing, 'dev-cp-2', 'it does not answer'), 'dev-cp-3', 'it does not answer')
  const sick =
    two.etcd.seen && two.etcd.value
      ? { ...two, etcd: seen({ ...two.etcd.value, healthy: [two.etcd.value.healthy[0] ?? ''] }) }
      : two
  for (const name of ['dev-cp-1', 'dev-cp-2']) ask(specOf(plain, { intent: { replacing: { [name]: 'run-7' } } }), sick)
})

test('the only control plane cannot be replaced', async () => {
  const one = await anInventory({ controlPlanes: 1, workers: 1, hosts })
  ask(specOf(one, { intent: { replacing: { 'dev-cp-1': 'run-7' } } }), made(one))
})

test('where machines find no place', async () => {
  const small = (name: string) => ({ name, online: true, maintenance: false, cpus: 4, memory: 12 * GiB })
  const sized = (worker: object) =>
    anInventory({ workers: 1, with: { sizing: { control_plane: size, worker: { ...size, ...worker } } } })
  const oneHost = withProxmox(aWorld(['pve1']), { hosts: [small('pve1')] })
  const wanted = await sized({})
  const built = ask(specOf(wanted), oneHost)
  const own = built.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  ask(specOf(await sized({ ram: '16GiB', cpu: 8 })), withProxmox(built, { guests: own }))
  ask(specOf(wanted), withProxmox(aWorld(['pve1']), { hosts: [] }))
  ask(specOf(await anInventory({ with: { proxmox: { target_nodes: ['pve1'], datastore: 'gone' } } })), aWorld(['pve1']))
  const noFiles = aWorld(['pve1']).proxmox.storages.filter(({ storage }) => storage === 'local-lvm')
  ask(specOf(wanted), withProxmox(aWorld(['pve1']), { storages: noFiles }))
  ask(
    specOf(
      await anInventory({ controlPlanes: 3, with: { vm_ids: { control_plane: '2000-2002', worker: '3000-3999' } } }),
    ),
    aWorld(['pve1'], [aForeignVm(2001, 'pve1')]),
  )
  ask(
    specOf(await anInventory({ with: { controlplane: [{ name: 'cp-1', vmid: 2005 }] } })),
    aWorld(['pve1'], [aForeignVm(2005, 'pve1')]),
  )
  const guest = { name: 'router', host: 'pve1', create: true, cpu: 2, ram: '128GiB', disk: '8G' }
  ask(specOf(await anInventory({ with: { guests: [guest] } })), oneHost)
})

/** Two things at once, so that their order shows. */
const tried = ({ mark }: ObservedMachine) => ({
  mark: { ...mark, more: { ...mark.more, 'firewall-trial': 'ichor-0123456789ab 2030-01-01T00:00:00.000Z' } },
})
const markLost: Observed['unverified'][number] = {
  host: 'pve1',
  vmid: 2000,
  because: 'mark-lost',
  holds: 'dev-cp-1',
  text: 'VM 2000 has the UUID or MAC of dev-cp-1 but no ichor mark.',
}
const withFirewall = { firewall: { enabled: true, admin_networks: ['10.9.0.0/24'] } }

function withOpenRules(observed: Observed): Observed {
  const rules = seen({ options: {}, groups: [] })
  const machines = observed.machines.map((machine) => ({ ...machine, rules }))
  return withProxmox({ ...observed, machines }, { firewall: seen({ isOn: true, groups: [], ipsets: [] }) })
}

test('rules in the nodes and on the VMs are both missing', async () => {
  ask(specOf(await anInventory({ controlPlanes: 3, workers: 2, hosts, with: withFirewall })), withOpenRules(standing))
})

test('Proxmox HA and rules in the nodes are both missing', async () => {
  const ha = { proxmox: { target_nodes: hosts, datastore: 'local-lvm' }, placement: { ha: true } }
  const firewall = { ...withFirewall.firewall, proxmox: false }
  const wanted = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { firewall, ...ha } })
  const storages = standing.proxmox.storages.map((storage) => ({ ...storage, shared: storage.storage === 'local-lvm' }))
  const none = { storages, ha: seen({ resources: [], groups: [], rules: [] }) }
  ask(specOf(wanted), withProxmox(withOpenRules(standing), none))
})

test('a trial was left, and a mark was lost', () => {
  ask(specOf(plain), { ...withMachine(standing, 'dev-wk-1', tried), unverified: [markLost] })
})

test('a disk would shrink, and a mark was lost', async () => {
  const sizing = { control_plane: { ...size, disk: '4G' }, worker: { ...size, disk: '4G' } }
  const smaller = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { sizing } })
  const text = `${markLost.text} Its notes are empty.`
  ask(specOf(smaller), { ...standing, unverified: [{ ...markLost, text }] })
})

test('the extensions of Talos and the image of kube-proxy both differ', async () => {
  const talos = { extensions: ['siderolabs/iscsi-tools'] }
  const wanted = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { talos } })
  const found = standing.kubernetes.seen ? standing.kubernetes.value : undefined
  if (found === undefined) throw new Error('no Kubernetes')
  const proxyImage = 'registry.k8s.io/kube-proxy:v1.35.9'
  const machines = standing.machines.map((machine) => {
    const { talos: now } = machine
    return now.reach === 'secured' ? { ...machine, talos: { ...now, schematic: seen('0'.repeat(64)) } } : machine
  })
  ask(specOf(wanted), { ...standing, machines, kubernetes: seen({ ...found, proxyImage }) })
})

test('etcd lost its majority with a host and a VM, and a vote could be started', () => {
  const found = standing.etcd.seen ? standing.etcd.value : undefined
  if (found === undefined) throw new Error('no etcd')
  const lost = standing.machines.find(({ name }) => name === 'dev-cp-1')
  const text = 'VM 2000 is on pve1, which does not answer.'
  const away = { host: lost?.host ?? '', vmid: lost?.vmid ?? 0, because: 'away', holds: 'dev-cp-1', text } as const
  const off = afterMishap(standing, 'dev-cp-3', 'it was switched off')
  const machines = off.machines.filter(({ name }) => name !== 'dev-cp-1' && name !== 'dev-cp-2')
  const unreadHosts = [{ host: away.host, why: 'it does not answer' }]
  const left = { ...off, machines, unverified: [away], etcd: seen({ ...found, healthy: [] }) }
  ask(specOf(plain), withProxmox(left, { unreadHosts }))
})

test('the whole cluster is shut down and started again, with a guest that it may need', async () => {
  const guest = { name: 'nas', host: 'pve1', vmid: 150, cpu: 1, ram: '1GiB', disk: '4G', create: true }
  const site = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: { guests: [guest] } })
  const nas = { ...aForeignVm(150, 'pve1', 'nas'), status: 'running' as const }
  const built = made(site)
  const running = withProxmox(built, { guests: [...built.proxmox.guests, nas] })
  const goal = shutDownAll({ takesSnapshot: true, withGuests: true })
  ask(specOf(site), ask(specOf(site), running, goal))
  const silent = { etcd: unseen('no member answers'), kubernetes: unseen('no API server answers') }
  ask(specOf(site), { ...running, ...silent }, goal)
})

test('an addon needs volumes, and nothing brings them', () => {
  const context = {
    clusterName: 'dev',
    kubernetesVersion: 'v1.36.3',
    loadBalancer: [],
    controlPlanes: 3,
    workers: 2,
    proxmox: { endpoint: 'https://pve1:8006', insecure: false, region: 'dev', datastore: 'local-lvm' },
    secrets: {},
  }
  const victoria = { values: {}, managed_by: 'ichor', delivery: 'job' } as const
  const addons = resolveAddons({ custom: [], victoria_metrics: victoria }, context)
  ask(specOf(plain, { addons }), aWorld(hosts))
})
