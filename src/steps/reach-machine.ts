import type { World } from '../world.js'
import { findAddress } from './node-address.js'
import { withMachine } from './observed-change.js'
import { machineOf } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** The machine has its config and answers with a certificate of this cluster. */
export const reachMachine = defineStep<{ machine: string }>({
  kind: 'reach-machine',
  title: ({ machine }) => `wait for ${machine} to answer`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await answers(machine, world, context).catch(() => undefined)) !== undefined,
  async run({ machine }, world, context) {
    const { tag } = await waitUntil(
      {
        forWhat: `${machine} to answer on its secured API`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 500,
        fix: `Look at its console in Proxmox. If the machine never got its config, ichor destroy and up start it again.`,
      },
      () => answers(machine, world, context),
      world,
      context,
    )
    context.note(`Talos ${tag}`)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, {
      talos: {
        reach: 'secured',
        version: desired.cluster.talosVersion,
        stage: 'booting',
        ready: false,
        unmet: [],
        config: machineOf(desired, machine).talos?.config ?? '',
      },
    }),
})

async function answers(machine: string, world: World, context: StepContext) {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return undefined
  return world.talos.node({ machine, address }).version(context.signal)
}
