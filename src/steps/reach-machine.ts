import { seen, unseen } from '../cluster/seen.js'
import { compareVersions, parseVersion } from '../cluster/version.js'
import { fixOfSilent } from '../etcd/fix-of-silent.js'
import { expectEtcd } from '../etcd/planned-etcd.js'
import { findAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import type { Model } from '../work/model.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const minute = 60_000

/** The machine has its config and responds with a certificate of this cluster. */
export const reachMachine = defineStep({
  kind: 'reach-machine',
  args: machineArgs,
  title: ({ machine }) => `wait for ${machine} to answer`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, context) => (await answers(machine, context).catch(() => undefined)) !== undefined,
  async run({ machine }, context) {
    const { tag } = await waitUntil(
      {
        forWhat: `${machine} to answer on its secured API`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 500,
        fix: fixOfSilent(machine, context),
      },
      () => answers(machine, context),
      context,
    )
    context.note(`Talos ${tag}`)
  },
  effect: ({ machine }, model, desired) => {
    const { talos, installer } = machineOf(desired, machine)
    const config = talos?.firstConfig
    const isMade = model.machines.get(machine)?.mark.stage === 'made'
    changeMachine(model, desired, machine, {
      talos: {
        reach: 'secured',
        version: (isMade ? oldestVersion(model) : undefined) ?? desired.cluster.talosVersion,
        stage: 'booting',
        ready: false,
        unmet: [],
        ...(installer.isCompared ? { schematic: seen(installer.id) } : {}),
        config: config === undefined ? unseen('the secrets are missing') : seen(config),
      },
    })
    expectEtcd(model, desired)
  },
})

/**
 * A machine that existed before most likely runs the version of the others: one upgrade too many in a plan is better
 * than one too few.
 */
function oldestVersion({ machines }: Model): string | undefined {
  const versions = [...machines.values()].flatMap(({ talos }) => {
    const version = talos.reach === 'secured' ? parseVersion(talos.version) : undefined
    return talos.reach === 'secured' && version !== undefined ? [{ text: talos.version, version }] : []
  })
  return versions.sort((one, other) => compareVersions(one.version, other.version))[0]?.text
}

async function answers(machine: string, context: StepContext) {
  const address = await findAddress(machine, context)
  if (address === undefined) return undefined
  return context.talos.node({ machine, address }).version(context.signal)
}
