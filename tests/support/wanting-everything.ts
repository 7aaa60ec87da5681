import { seen } from '../../src/cluster/seen.js'
import type { Observed } from '../../src/observe/observed.js'
import { planRound } from '../../src/rounds/plan-round.js'
import { anInventory } from './inventories.js'
import { hosts } from './views.js'
import { aForeignVm, aWorld, carriedOut, specFor } from './worlds.js'

const plain = { talos: { kernel_args: ['quiet'] } }
const everything = {
  ...plain,
  firewall: { enabled: true, admin_networks: ['10.0.0.0/8'] },
  backup: { machines: { schedule: 'sun 02:00', datastore: 'local', control_planes: true } },
  placement: { ha: true },
}

function anInventoryWith(more: Readonly<Record<string, unknown>>, { controlPlanes = 3, workers = 2 } = {}) {
  return anInventory({ controlPlanes, workers, hosts, with: more })
}

/** Inventories with a firewall of both kinds, HA, backups and kernel arguments, and others in its place. */
export const wanted = {
  everything: specFor(await anInventoryWith(everything)),
  'nothing of it any more': specFor(await anInventoryWith(plain)),
  'one worker fewer': specFor(await anInventoryWith(everything, { workers: 1 })),
  'another Talos': specFor(await anInventoryWith({ ...everything, talos: { kernel_args: ['debug'] } })),
  'another Kubernetes': specFor(await anInventoryWith({ ...everything, kubernetes_version: 'v1.36.4' })),
  'another policy': specFor(
    await anInventoryWith({ ...everything, firewall: { enabled: true, admin_networks: ['10.9.0.0/16'] } }),
  ),
  'pve1 evacuated': specFor(await anInventoryWith({ ...everything, placement: { ha: true, evacuate: ['pve1'] } })),
}

/** What is seen once it is made: every part that is asked at all. */
export const madeWithEverything: Observed = withGuests(withRareAnswers(made()))

function made(): Observed {
  const world = aWorld(hosts)
  const empty: Observed = {
    ...world,
    proxmox: {
      ...world.proxmox,
      storages: world.proxmox.storages.map((storage) => ({ ...storage, shared: true })),
      backupJobs: seen([]),
      ha: seen({ resources: [], groups: [], rules: [] }),
      firewall: seen({ isOn: true, groups: [], ipsets: [] }),
    },
  }
  return afterRounds(empty)
}

function afterRounds(observed: Observed): Observed {
  const desired = wanted.everything(observed)
  const steps = planRound(desired, observed, 1)
  return steps.length === 0 ? observed : afterRounds(carriedOut(steps, desired, observed))
}

/** Asked only on the way to another version. */
function withRareAnswers(observed: Observed): Observed {
  const { kubernetes } = observed
  if (!kubernetes.seen || kubernetes.value === undefined) throw new Error('Kubernetes was made')
  return {
    ...observed,
    releases: seen(['v1.13.9']),
    kubernetes: seen({ ...kubernetes.value, deprecated: seen([]), charts: seen([]) }),
  }
}

function withGuests(observed: Observed): Observed {
  const guests = observed.machines.map(({ vmid, host, name }) => aForeignVm(vmid, host, name))
  return { ...observed, proxmox: { ...observed.proxmox, guests } }
}
