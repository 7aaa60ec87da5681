import type { Service } from '../talos/api/port.js'
import { type Check, type CheckResult, healthy, healthyUnless, unhealthy } from './check.js'
import { type HealthMachine, nodeOf } from './facts.js'

const GiB = 1024 ** 3

/** The minimum of Talos's own health check. */
const minEphemeral = 6 * GiB

/** The kernel reserves some of a VM's memory, so a little less than the documented 2 GiB and 1 GiB. */
const minMemory = { controlplane: (1848 - 150) * 1024 ** 2, worker: (1024 - 150) * 1024 ** 2 } as const

export function apiToAnswer(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: the Talos API to answer`,
    run: async (context) => {
      // Other checks use this result too.
      await nodeOf(machine, context).services(context.signal)
      return healthy
    },
  }
}

export function bootToFinish(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: the boot to be finished`,
    run: async (context) => {
      const { stage } = await nodeOf(machine, context).resources.machineStatus(context.signal)
      return stage === 'running' ? healthy : unhealthy(`it is ${stage}`)
    },
  }
}

export function serviceToBeHealthy(machine: HealthMachine, id: 'etcd' | 'kubelet'): Check {
  return {
    name: `${machine.name}: ${id} to be healthy`,
    run: async (context) => {
      const services = await nodeOf(machine, context).services(context.signal)
      return judgeService(services.find((service) => service.id === id))
    },
  }
}

function judgeService(service: Service | undefined): CheckResult {
  if (service === undefined) return unhealthy('the node does not know that service yet')
  if (service.state !== 'Running') return unhealthy(describe(service, `it is in state ${service.state}`))
  if (service.healthy === undefined) return unhealthy(describe(service, 'its health is not known yet'))
  return service.healthy ? healthy : unhealthy(describe(service, 'it is not healthy'))
}

function describe({ message }: Service, words: string): string {
  return message === '' ? words : `${words}: ${message}`
}

export function diskToSuffice(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: free space for pods and images`,
    run: async (context) => {
      const type = 'VolumeStatuses.block.talos.dev'
      const found = await nodeOf(machine, context).resources.find(type, 'runtime', 'EPHEMERAL', context.signal)
      const { size, phase } = (found?.spec ?? {}) as { size?: number; phase?: string }
      if (found === undefined || (size === undefined && phase === 'ready'))
        return { skipped: 'the node does not report it' }
      if (phase !== 'ready') return unhealthy(`the volume EPHEMERAL is ${phase ?? 'missing'}`)
      return healthyUnless((size ?? 0) < minEphemeral ? [`only ${gigabytes(size ?? 0)}, 6 GiB are needed`] : [])
    },
  }
}

export function memoryToSuffice(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: memory enough for Talos`,
    run: async (context) => {
      const total = await nodeOf(machine, context).memory?.(context.signal)
      if (total === undefined) return { skipped: 'the node does not report it' }
      const least = minMemory[machine.role]
      return healthyUnless(total < least ? [`only ${gigabytes(total)}, ${gigabytes(least)} are needed`] : [])
    },
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / GiB).toFixed(1)} GiB`
}

export function nothingToComplain(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: no complaints of the node itself`,
    run: async (context) => {
      const { resources } = nodeOf(machine, context)
      const complaints = await resources
        .list('Diagnostics.runtime.talos.dev', 'runtime', context.signal)
        .catch(noneIfUnknown)
      if (complaints === undefined) return { skipped: 'this Talos does not report it' }
      return healthyUnless(complaints.map(({ id, spec }) => (spec as { message?: string } | undefined)?.message ?? id))
    },
  }
}

/** A node returns PermissionDenied for an unknown resource type. */
function noneIfUnknown(thrown: unknown): undefined {
  if ((thrown as { grpcCode?: string }).grpcCode === 'PermissionDenied') return undefined
  throw thrown
}
