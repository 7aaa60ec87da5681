import { seen, unseen } from '../../../cluster/seen.js'
import { reasonOf, UserFacingError } from '../../../errors.js'
import { configInputs } from '../../../node/config-inputs.js'
import { guardIdentity } from '../../../node/guard-identity.js'
import { getAddress } from '../../../node/node-address.js'
import { wantedTalos } from '../../../node/talos-config.js'
import { defineStep, machineArgs, type StepContext } from '../../../steps/step.js'
import type { TalosNode } from '../../../talos/api/port.js'
import { trialTime } from '../../../trial/trial-time.js'
import { changeMachine } from '../../../vm/observed-change.js'
import { waitUntil } from '../../../work/wait-until.js'
import { machineOf } from '../../../work/wanted-machine.js'
import { dialFromNodes } from '../dial-from-nodes.js'
import { reachByNewConnections } from '../new-connections.js'

/** Talos has taken the rules back, or never had them. */
class RulesGone extends UserFacingError {
  readonly code = 'rules-gone'
  readonly exitCode = 1
}

/** Beyond the time of the trial: Talos needs a moment to go back. */
const revertMs = 60_000
const fix = 'Check firewall.admin_networks: it must contain the address that the nodes see this computer with.'

/** The firewall of a node: Talos rolls it back by itself unless the node is reached over new connections. */
export const setFirewall = defineStep({
  kind: 'set-firewall',
  args: machineArgs,
  title: ({ machine }) => `set the firewall of ${machine}, and keep it if ${machine} is still reached`,
  changes: true,
  disruptive: false,
  async done({ machine }, context) {
    const { active, persisted } = await configsOf(machine, context)
    const isTried = wantedTalos(machine, context).hasOtherRules(active, persisted)
    return !isTried && (await hasRules(machine, context))
  },
  guard: async ({ machine }, context) => guardIdentity(machine, await getAddress(machine, context), context),
  async run({ machine }, context) {
    await awaitReverted(machine, context)
    const node = await nodeOf(machine, context)
    const config = wantedTalos(machine, context).withRulesIn(await node.resources.machineConfig(context.signal))
    context.assertLease()
    const tryTimeoutSeconds = Math.ceil(trialMs(context) / 1000)
    await node.applyConfiguration(config, { mode: 'try', tryTimeoutSeconds }, context.signal)
    context.note(`tried for ${tryTimeoutSeconds} s`)
  },
  trial: {
    async prove({ machine }, context) {
      let reason = ''
      await waitUntil(
        {
          forWhat: `${machine} to be reached over new connections`,
          where: `machine ${machine}`,
          timeoutMs: trialMs(context),
          intervalMs: 1000,
          minAttempts: 2,
          fix,
          machine,
        },
        async () => {
          await reach(machine, context).catch((thrown: unknown) => {
            reason = `: ${reasonOf(thrown)}`
            throw thrown
          })
          // A connection that succeeds after the rules are gone proves nothing.
          await refuseGone(machine, reason, context)
          return true
        },
        context,
        (thrown) => thrown instanceof RulesGone,
      )
    },
    async keep({ machine }, context) {
      const node = await nodeOf(machine, context)
      const config = wantedTalos(machine, context).withRulesIn(await node.resources.machineConfig(context.signal))
      context.assertLease()
      await node.applyConfiguration(config, { mode: 'no-reboot' }, context.signal)
    },
    async undo({ machine }, context) {
      await awaitReverted(machine, context)
      return !(await hasRules(machine, context))
    },
  },
  inputs: ({ machine }, desired) => {
    const { known, ...config } = configInputs(machine, desired)
    return { ...config, known: () => ({ ...known(), trialMs: desired.cluster.firewallTrialMs }) }
  },
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
  run: ({ machine }, context) => awaitReverted(machine, context),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ talos }) =>
      talos.reach === 'secured' && talos.persisted?.seen ? { talos: { ...talos, config: talos.persisted } } : {},
    ),
})

function trialMs(context: StepContext): number {
  return trialTime(context.desired.cluster.firewallTrialMs ?? revertMs, context)
}

async function reach(machine: string, context: StepContext): Promise<void> {
  await reachByNewConnections(machine, context)
  await dialFromNodes([machine], context)
}

async function nodeOf(machine: string, context: StepContext): Promise<TalosNode> {
  return context.talos.node({ machine, address: await getAddress(machine, context) })
}

async function configsOf(machine: string, context: StepContext) {
  const { resources } = await nodeOf(machine, context)
  const active = await resources.machineConfig(context.signal)
  return { active, persisted: await resources.persistedConfig(context.signal) }
}

async function hasRules(machine: string, context: StepContext): Promise<boolean> {
  const { resources, version } = await nodeOf(machine, context)
  const { tag } = await version(context.signal)
  const active = await resources.machineConfig(context.signal)
  return wantedTalos(machine, context).differenceFrom(active, tag).rules.length === 0
}

async function refuseGone(machine: string, reason: string, context: StepContext): Promise<void> {
  if (await hasRules(machine, context)) return
  throw new RulesGone(`${machine} was not reached over new connections before its trial ended${reason}.`, {
    where: `machine ${machine}`,
    fix,
  })
}

/** Until no trial is under way: what is active is what is on disk. */
async function awaitReverted(machine: string, context: StepContext): Promise<void> {
  await waitUntil(
    {
      forWhat: `${machine} to take its unconfirmed firewall back`,
      where: `machine ${machine}`,
      timeoutMs: trialMs(context) + revertMs,
      intervalMs: 1000,
      fix: `Reboot ${machine} in Proxmox: it comes back with the firewall that it had before.`,
      machine,
    },
    async () => {
      const { active, persisted } = await configsOf(machine, context)
      return wantedTalos(machine, context).hasOtherRules(active, persisted) ? undefined : true
    },
    context,
  )
}
