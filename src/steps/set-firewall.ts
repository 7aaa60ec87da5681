import { seen, unseen } from '../cluster/seen.js'
import { reasonOf, UserFacingError } from '../errors.js'
import { configInputs } from '../machine/config-inputs.js'
import { dialFromNodes } from '../machine/dial-from-nodes.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { reachByNewConnections } from '../machine/new-connections.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { wantedTalos } from '../machine/talos-config.js'
import { trialTime } from '../machine/trial-time.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
import type { TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** Talos has taken the rules back, or never had them. */
class RulesGone extends UserFacingError {
  readonly code = 'rules-gone'
  readonly exitCode = 1
}

/** Beyond the time of the trial: Talos needs a moment to go back. */
const revertMs = 60_000
const fix = 'Check firewall.admin_networks: it must contain the address that the nodes see this computer with.'

/** The firewall of a node: Talos takes it back by itself unless it is seen to cut nobody off. */
export const setFirewall = defineStep({
  kind: 'set-firewall',
  args: machineArgs,
  title: ({ machine }) => `set the firewall of ${machine}, and keep it if ${machine} is still reached`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const { active, persisted } = await configsOf(machine, world, context)
    const isTried = wantedTalos(machine, context).hasOtherRules(active, persisted)
    return !isTried && (await hasRules(machine, world, context))
  },
  guard: async ({ machine }, world, context) =>
    guardIdentity(machine, await getAddress(machine, world, context), world, context),
  async run({ machine }, world, context) {
    await awaitReverted(machine, world, context)
    const node = await nodeOf(machine, world, context)
    const config = wantedTalos(machine, context).withRulesIn(await node.resources.machineConfig(context.signal))
    context.assertLease()
    const tryTimeoutSeconds = Math.ceil(trialMs(context, world) / 1000)
    await node.applyConfiguration(config, { mode: 'try', tryTimeoutSeconds }, context.signal)
    context.note(`tried for ${tryTimeoutSeconds} s`)
  },
  trial: {
    async prove({ machine }, world, context) {
      let reason = ''
      await waitUntil(
        {
          forWhat: `${machine} to be reached over new connections`,
          where: `machine ${machine}`,
          timeoutMs: trialMs(context, world),
          intervalMs: 1000,
          fewestQuestions: 2,
          fix,
          machine,
        },
        async () => {
          await reach(machine, world, context).catch((thrown: unknown) => {
            reason = `: ${reasonOf(thrown)}`
            throw thrown
          })
          // Whoever waited for an answer until the rules were gone has proven nothing.
          await refuseGone(machine, reason, world, context)
          return true
        },
        world,
        context,
        (thrown) => thrown instanceof RulesGone,
      )
    },
    async keep({ machine }, world, context) {
      const node = await nodeOf(machine, world, context)
      const config = wantedTalos(machine, context).withRulesIn(await node.resources.machineConfig(context.signal))
      context.assertLease()
      await node.applyConfiguration(config, { mode: 'no-reboot' }, context.signal)
    },
    async undo({ machine }, world, context) {
      await awaitReverted(machine, world, context)
      return !(await hasRules(machine, world, context))
    },
  },
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ talos }) => {
      if (talos.reach !== 'secured') return {}
      const wanted = machineOf(desired, machine).talos
      if (wanted === undefined || !talos.config.seen)
        return { talos: { ...talos, persisted: unseen('the secrets are missing') } }
      const config = seen(wanted.withRulesIn(talos.config.value))
      return { talos: { ...talos, config, persisted: config } }
    }),
})

/** What a run that ended in the middle has left: Talos takes it back by itself. */
export const awaitFirewall = defineStep({
  kind: 'await-firewall',
  args: machineArgs,
  title: ({ machine }) => `wait until ${machine} has taken its unconfirmed firewall back`,
  changes: false,
  disruptive: false,
  done: async () => false,
  run: ({ machine }, world, context) => awaitReverted(machine, world, context),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ talos }) =>
      talos.reach === 'secured' && talos.persisted?.seen ? { talos: { ...talos, config: talos.persisted } } : {},
    ),
})

function trialMs({ desired }: StepContext, world: World): number {
  return trialTime(desired.cluster.firewallTrialMs ?? revertMs, world)
}

async function reach(machine: string, world: World, context: StepContext): Promise<void> {
  await reachByNewConnections(machine, world, context)
  await dialFromNodes([machine], world, context)
}

async function nodeOf(machine: string, world: World, context: StepContext): Promise<TalosNode> {
  return world.talos.node({ machine, address: await getAddress(machine, world, context) })
}

async function configsOf(machine: string, world: World, context: StepContext) {
  const { resources } = await nodeOf(machine, world, context)
  const active = await resources.machineConfig(context.signal)
  return { active, persisted: await resources.persistedConfig(context.signal) }
}

async function hasRules(machine: string, world: World, context: StepContext): Promise<boolean> {
  const { resources, version } = await nodeOf(machine, world, context)
  const { tag } = await version(context.signal)
  const active = await resources.machineConfig(context.signal)
  return wantedTalos(machine, context).differenceFrom(active, tag).rules.length === 0
}

async function refuseGone(machine: string, reason: string, world: World, context: StepContext): Promise<void> {
  if (await hasRules(machine, world, context)) return
  throw new RulesGone(`${machine} was not reached over new connections before its trial ended${reason}.`, {
    where: `machine ${machine}`,
    fix,
  })
}

/** Until no trial is under way: what is active is what is on disk. */
async function awaitReverted(machine: string, world: World, context: StepContext): Promise<void> {
  await waitUntil(
    {
      forWhat: `${machine} to take its unconfirmed firewall back`,
      where: `machine ${machine}`,
      timeoutMs: trialMs(context, world) + revertMs,
      intervalMs: 1000,
      fix: `Reboot ${machine} in Proxmox: it comes back with the firewall that it had before.`,
      machine,
    },
    async () => {
      const { active, persisted } = await configsOf(machine, world, context)
      return wantedTalos(machine, context).hasOtherRules(active, persisted) ? undefined : true
    },
    world,
    context,
  )
}
