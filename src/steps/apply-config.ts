import type { World } from '../world.js'
import { findAddress } from './node-address.js'
import { withMachine } from './observed-change.js'
import { machineOf } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** The config over the maintenance API, to the machine that shows its VM's UUID and MAC on that very connection. */
export const deliverConfig = defineStep<{ machine: string }>({
  kind: 'deliver-config',
  title: ({ machine }) => `send ${machine} its config`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, world, context) => isConfigured(machine, world, context),
  async run({ machine }, world, context) {
    const { config, identity } = wantedConfig(machine, context)
    const address = await waitUntil(
      {
        forWhat: `${machine} to come up in maintenance mode`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: 'Look at its console in Proxmox: it must have got an address on its bridge.',
      },
      () => inMaintenance(machine, world, context),
      world,
      context,
    )
    context.assertLease()
    await world.talos.maintenance({ machine, address }).applyConfiguration(config, identity, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, { talos: { reach: 'silent', reason: 'taking its config' } }),
})

/** A changed config on a running node. */
export const changeConfig = defineStep<{ machine: string; reboot: boolean }>({
  kind: 'change-config',
  title: ({ machine, reboot }) => `change the config of ${machine}${reboot ? ' (it reboots)' : ''}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const address = await findAddress(machine, world, context)
    if (address === undefined) return false
    const active = await world.talos.node({ machine, address }).resources.machineConfig(context.signal)
    return active === wantedConfig(machine, context).config
  },
  async run({ machine }, world, context) {
    const address = await findAddress(machine, world, context)
    if (address === undefined) throw new Error(`no address of ${machine} is known`)
    context.assertLease()
    const { config } = wantedConfig(machine, context)
    const { mode, details } = await world.talos
      .node({ machine, address })
      .applyConfiguration(config, { mode: 'auto' }, context.signal)
    context.note(details === '' ? `applied (${mode})` : details)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ talos }) => ({
      talos:
        talos.reach === 'secured'
          ? { ...talos, config: machineOf(desired, machine).talos?.config ?? talos.config }
          : talos,
    })),
})

function wantedConfig(machine: string, { desired }: StepContext) {
  const { talos, machine: wanted } = machineOf(desired, machine)
  if (talos === undefined) throw new Error(`no config for ${machine}: the secrets are missing`)
  return { config: talos.config, identity: wanted.identity }
}

async function isConfigured(machine: string, world: World, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return false
  const version = await world.talos
    .node({ machine, address })
    .version(context.signal)
    .catch(() => undefined)
  return version !== undefined
}

async function inMaintenance(machine: string, world: World, context: StepContext): Promise<string | undefined> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return undefined
  const identity = await world.talos.maintenance({ machine, address }).findIdentity(context.signal)
  return identity === undefined ? undefined : address
}
