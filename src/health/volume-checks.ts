import { volumeProblems } from '../cluster/volume-problems.js'
import { type Check, healthyUnless } from './check.js'
import { type HealthMachine, nodeOf } from './facts.js'

export function volumesToBeReady(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: its volumes to be ready`,
    run: async (context) => {
      const { resources } = nodeOf(machine, context)
      const volumes = await resources.list('VolumeStatuses.block.talos.dev', 'runtime', context.signal)
      return healthyUnless(volumeProblems(volumes))
    },
  }
}
