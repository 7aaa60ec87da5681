import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'
import { guardIdentity } from './guard-identity.js'
import { findAddress, findReportedAddress } from './node-address.js'
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
        fix: whereItWaits(machine, context),
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

/** A changed config that a running node takes over. */
export const changeConfig = defineStep<{ machine: string }>({
  kind: 'change-config',
  title: ({ machine }) => `change the config of ${machine}`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, world, context) => hasWantedConfig(machine, world, context),
  guard: async ({ machine }, world, context) =>
    guardIdentity(machine, await findAddress(machine, world, context), world, context),
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
  effect: ({ machine }, observed, desired) => withWantedConfig(observed, desired, machine),
})

/** The config that it runs with is the wanted one. */
export async function hasWantedConfig(machine: string, world: World, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return false
  const active = await world.talos.node({ machine, address }).resources.machineConfig(context.signal)
  return active === wantedConfig(machine, context).config
}

/** What is seen once it runs with it. */
export function withWantedConfig(observed: Observed, desired: Desired, machine: string): Observed {
  return withMachine(observed, desired, machine, ({ talos }) => ({
    talos:
      talos.reach === 'secured'
        ? { ...talos, config: machineOf(desired, machine).talos?.config ?? talos.config }
        : talos,
  }))
}

export function wantedConfig(machine: string, { desired }: StepContext) {
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

/** Where it waits for its config. It has the address that DHCP gave it, which need not be the one that it will have. */
async function inMaintenance(machine: string, world: World, context: StepContext): Promise<string | undefined> {
  const { address: wanted, hasAgent } = machineOf(context.desired, machine)
  const reported = wanted === undefined || hasAgent ? await findReportedAddress(machine, world, context) : undefined
  const possible = [...new Set([reported, wanted])].filter((address) => address !== undefined)
  const found = await Promise.allSettled(
    possible.map(async (address) => {
      const identity = await world.talos.maintenance({ machine, address }).findIdentity(context.signal)
      return identity === undefined ? undefined : address
    }),
  )
  const address = found.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : [])).at(0)
  const problem = found.find((one) => one.status === 'rejected')
  if (address === undefined && problem !== undefined) throw problem.reason
  return address
}

function whereItWaits(machine: string, { desired }: StepContext): string {
  const { address, hasAgent, machine: wanted } = machineOf(desired, machine)
  const look = 'Look at its console in Proxmox: it must have got an address on its bridge by DHCP.'
  if (address === undefined || hasAgent) return look
  return `${look} Without the guest agent nobody reports which: reserve ${address} for its MAC ${wanted.identity.mac}, or write network.agent: true or talos.delivery: cidata.`
}
