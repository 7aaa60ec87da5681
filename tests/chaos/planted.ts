import type { MachineCalls, VmOptions } from '../../src/proxmox/client/port.js'
import { ProxmoxError } from '../../src/proxmox/model/proxmox-error.js'
import { SecretsError } from '../../src/secrets/secrets-error.js'
import type { TalosNode } from '../../src/talos/api/port.js'
import type { World } from '../../src/world.js'

import type { Action, Run } from './action.js'
import type { Sequence } from './random-sequence.js'
import plantedModules from './seams/planted/modules.json' with { type: 'json' }
import { givenPool } from './shape.js'

type Plant = () => (world: World) => World

/** Bugs that ichor does not have, put between it and its world: the harness must find each of them. */
export const planted: Readonly<Record<string, Plant>> = {
  /** "VMID already exists" is taken for success, and whatever lives there for ours. */
  'no-ownership-check': () => {
    const claimed = new Map<number, VmOptions>()
    return withMachines(
      (machines) => ({
        create: async (vm, options, signal) => {
          try {
            return await machines.create(vm, options, signal)
          } catch (thrown) {
            if (!(thrown instanceof ProxmoxError)) throw thrown
            claimed.set(vm.vmid, options)
            throw thrown
          }
        },
        findConfig: async (vm, signal) => {
          const config = await machines.findConfig(vm, signal)
          const ours = claimed.get(vm.vmid)
          if (config === undefined || ours === undefined) return config
          const texts = Object.entries(ours).map(([key, value]) => [key, String(value)])
          return { ...config, options: { ...config.options, ...Object.fromEntries(texts) } }
        },
      }),
      (world) => ({
        ...world,
        proxmox: {
          ...world.proxmox,
          cluster: {
            ...world.proxmox.cluster,
            isVmidFree: async () => true,
            resources: async (signal) => {
              const seen = await world.proxmox.cluster.resources(signal)
              return { ...seen, guests: seen.guests.filter(({ name = '' }) => name.startsWith('dev-')) }
            },
          },
        },
      }),
    )
  },
  /** A create whose answer is lost, as every third one is, is sent again with another VMID. */
  'blind-retry-of-create': () => {
    let creations = 0
    return withMachines((machines) => ({
      create: async (vm, options, signal) => {
        const task = await machines.create(vm, options, signal)
        return ++creations % 3 === 0 ? machines.create({ ...vm, vmid: vm.vmid + 50 }, options, signal) : task
      },
    }))
  },
  /** Every known control plane gets the request to bootstrap etcd, not only one. */
  'second-bootstrap': () => (world) => {
    const controlPlanes = new Map<string, TalosNode>()
    return {
      ...world,
      talos: {
        ...world.talos,
        node: (target) => {
          const node = world.talos.node(target)
          if (target.machine.includes('-cp-')) controlPlanes.set(target.machine, node)
          const bootstrap: TalosNode['bootstrap'] = async (options, signal) => {
            const answer = await node.bootstrap(options, signal)
            const others = [...controlPlanes].filter(([machine]) => machine !== target.machine)
            await Promise.allSettled(others.map(([, other]) => other.bootstrap(options, signal)))
            return answer
          }
          return { ...node, bootstrap }
        },
      },
    }
  },
  /** The holder believes that it renews its lease. */
  'lease-never-renewed': () => (world) => ({
    ...world,
    proxmox: {
      ...world.proxmox,
      pools: {
        ...world.proxmox.pools,
        setComment: async (id, comment, signal) => {
          if (comment.startsWith('free') || !id.includes('/lease-'))
            await world.proxmox.pools.setComment(id, comment, signal)
        },
      },
    },
  }),
  /** Nodes go with everything that runs on them. */
  'drain-skipped': () => (world) => ({
    ...world,
    kubernetes: {
      ...world.kubernetes,
      at: (endpoints) => ({ ...world.kubernetes.at(endpoints), drain: async () => {} }),
    },
  }),
  /** A volume that is to be removed stays. */
  'seed-left-behind': () => (world) => ({
    ...world,
    proxmox: { ...world.proxmox, storage: { ...world.proxmox.storage, removeVolume: async () => undefined } },
  }),
  /** The pool of a destroyed cluster stays. */
  'pool-left-behind': () => (world) => ({
    ...world,
    proxmox: { ...world.proxmox, pools: { ...world.proxmox.pools, remove: async () => {} } },
  }),
  /** The lease of a destroyed cluster stays in a pool that somebody else made. */
  'lease-pool-left': () => (world) => ({
    ...world,
    proxmox: {
      ...world.proxmox,
      pools: {
        ...world.proxmox.pools,
        remove: async (id, signal) => {
          if (!id.startsWith(`${givenPool}/`)) await world.proxmox.pools.remove(id, signal)
        },
      },
    },
  }),
  ...Object.fromEntries(plantedModules.map(({ bug }) => [bug, () => (world: World) => world])),
  /** Whoever starts a control plane again stops its neighbours first. */
  'restarts-too-many': () => {
    const started = new Map<number, string>()
    let runs = 0
    return (world) => {
      const isFirst = runs++ === 0
      return withMachines((machines) => ({
        start: async (vm, signal) => {
          const others = [...started].filter(([vmid]) => vmid !== vm.vmid && vm.vmid < 3000 && !isFirst)
          for (const [vmid, host] of others) await machines.stop({ host, vmid }, signal).catch(() => undefined)
          if (vm.vmid < 3000) started.set(vm.vmid, vm.host)
          return machines.start(vm, signal)
        },
      }))(world)
    }
  },
  /** What could not be written stands in the error. */
  'secret-in-an-error': () => (world) => ({
    ...world,
    secrets: {
      ...world.secrets,
      remember: async (change) => {
        await world.secrets.remember(change)
        const file = await world.secrets.find()
        throw new SecretsError(`Could not write ${file?.bundle.trustdinfo.token}.`, {
          where: 'secrets',
          fix: 'Try again.',
        })
      },
    },
  }),
  /** Statistics that lag for ever: every VM seems to run. */
  'stopped-seems-running': () => (world) => ({
    ...world,
    proxmox: {
      ...world.proxmox,
      machines: {
        ...world.proxmox.machines,
        findStatus: async (vm, signal) => {
          const status = await world.proxmox.machines.findStatus(vm, signal)
          return status === undefined ? undefined : { ...status, status: 'running' as const }
        },
      },
      cluster: {
        ...world.proxmox.cluster,
        resources: async (signal) => {
          const seen = await world.proxmox.cluster.resources(signal)
          return { ...seen, guests: seen.guests.map((guest) => ({ ...guest, status: 'running' as const })) }
        },
      },
    },
  }),
  /** A VM is gone as soon as its deletion was asked for, whatever becomes of that: nobody waits or looks again. */
  'deletion-not-awaited': () => {
    const gone = new Set<number>()
    return withMachines(
      (machines) => ({
        create: (vm, options, signal) => {
          gone.delete(vm.vmid)
          return machines.create(vm, options, signal)
        },
        remove: async (vm, signal) => {
          gone.add(vm.vmid)
          return machines.remove(vm, signal).catch(() => ({ host: vm.host, upid: 'UPID:nobody:qmdestroy:' }))
        },
        findConfig: async (vm, signal) => (gone.has(vm.vmid) ? undefined : machines.findConfig(vm, signal)),
        findOptions: async (vm, signal) => (gone.has(vm.vmid) ? undefined : machines.findOptions(vm, signal)),
      }),
      (world) => ({
        ...world,
        proxmox: {
          ...world.proxmox,
          tasks: {
            ...world.proxmox.tasks,
            wait: async (task, signal, onLine) =>
              task.upid.includes(':qmdestroy:') ? { warnings: [] } : world.proxmox.tasks.wait(task, signal, onLine),
          },
          cluster: {
            ...world.proxmox.cluster,
            resources: async (signal) => {
              const seen = await world.proxmox.cluster.resources(signal)
              return { ...seen, guests: seen.guests.filter(({ vmid }) => !gone.has(vmid)) }
            },
          },
        },
      }),
    )
  },
}

/** Sequences in which a bug cannot show need not be run. */
const situations: Readonly<Record<string, (run: Run) => boolean>> = {
  'lease-never-renewed': ({ meanwhile }) => meanwhile?.isOutlasted === true,
  'deletion-not-awaited': ({ faults = [] }) => faults.some(({ match }) => match.method === 'DELETE'),
  'temporary-file-left': ({ disk }) => disk !== undefined,
}

/** The same for those that need more than one run. */
const lives: Readonly<Record<string, (sequence: Sequence) => boolean>> = {
  'old-keys-as-drift': ({ actions }) => isInOrder(actions, [isCopy, isRotation, isPutBack]),
  'link-replaced': ({ shape }) => shape.isLinked === true,
  'lease-pool-left': ({ shape, endsWithDestroy }) => shape.isPoolGiven === true && endsWithDestroy,
}

const isCopy = (action: Action) => action.do === 'secrets' && action.what === 'copy'
const isPutBack = (action: Action) => action.do === 'secrets' && action.what === 'restore'
const isRotation = (action: Action) => action.do === 'run' && action.verb.startsWith('rotate-')

function isInOrder(actions: readonly Action[], wanted: readonly ((action: Action) => boolean)[]): boolean {
  const left = [...wanted]
  for (const action of actions) if (left[0]?.(action)) left.shift()
  return left.length === 0
}

export function canShow(bug: string, sequence: Sequence): boolean {
  const isOne = situations[bug]
  const hasOne = isOne === undefined || sequence.actions.some((action) => action.do === 'run' && isOne(action))
  return hasOne && (lives[bug]?.(sequence) ?? true)
}

function withMachines(
  change: (machines: MachineCalls) => Partial<MachineCalls>,
  then: (world: World) => World = (world) => world,
): (world: World) => World {
  return (world) => {
    const { machines } = world.proxmox
    return then({ ...world, proxmox: { ...world.proxmox, machines: { ...machines, ...change(machines) } } })
  }
}
