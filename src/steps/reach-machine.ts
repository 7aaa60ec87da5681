import { seen, unseen } from '../cluster/seen.js'
import { findAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { expectEtcd } from '../machine/planned-etcd.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
import type { World } from '../world.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const minute = 60_000

/** The machine has its config and answers with a certificate of this cluster. */
export const reachMachine = defineStep({
  kind: 'reach-machine',
  args: machineArgs,
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
        machine,
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
  effect: ({ machine }, model, desired) => {
    const config = machineOf(desired, machine).talos?.config
    changeMachine(model, desired, machine, {
      talos: {
        reach: 'secured',
        version: desired.cluster.talosVersion,
        stage: 'booting',
        ready: false,
        unmet: [],
        config: config === undefined ? unseen('the secrets are missing') : seen(config),
      },
    })
    expectEtcd(model, desired)
  },
})

async function answers(machine: string, world: World, context: StepContext) {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return undefined
  return world.talos.node({ machine, address }).version(context.signal)
}
