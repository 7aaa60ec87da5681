import { configInputs } from '../machine/config-inputs.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { throughKubeletRestart } from '../machine/kubelet-restart.js'
import { findAddress, findReportedAddress, getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned } from '../machine/owned-vm.js'
import { configFor, hasWantedConfig, setWantedConfig, wantedTalos } from '../machine/talos-config.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'
import type { World } from '../world.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const minute = 60_000

/**
 * Sends the config over the maintenance API to the machine that shows its VM's UUID, MAC and serial number on that
 * connection.
 */
export const deliverConfig = defineStep({
  kind: 'deliver-config',
  args: machineArgs,
  title: ({ machine }) => `send ${machine} its config`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, world, context) => isConfigured(machine, world, context),
  async run({ machine }, world, context) {
    const { identity } = machineOf(context.desired, machine).machine
    const { config } = await getOwned(machine, world, context)
    const { serial } = parseSmbios(config.options.smbios1 ?? '')
    const expected = { ...identity, ...(serial === undefined ? {} : { serial }) }
    const address = await waitUntil(
      {
        forWhat: `${machine} to come up in maintenance mode`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: whereItWaits(machine, context),
      },
      () => inMaintenance(machine, world, context),
      world,
      context,
    )
    context.assertLease()
    await world.talos
      .maintenance({ machine, address })
      .applyConfiguration(wantedTalos(machine, context).firstConfig, expected, context.signal)
  },
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { talos: { reach: 'silent', reason: 'taking its config' } }),
})

/** A changed config that a running node applies. */
export const changeConfig = defineStep({
  kind: 'change-config',
  args: machineArgs,
  title: ({ machine }) => `change the config of ${machine}`,
  changes: true,
  disruptive: false,
  setsConfig: true,
  done: async ({ machine }, world, context) => hasWantedConfig(machine, world, context),
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  guard: async ({ machine }, world, context) =>
    guardIdentity(machine, await getAddress(machine, world, context), world, context),
  async run({ machine }, world, context) {
    const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
    const apply = async () => {
      context.assertLease()
      const config = await configFor(machine, node, context)
      const { mode, details } = await node.applyConfiguration(config, { mode: 'auto' }, context.signal)
      context.note(details === '' ? `applied (${mode})` : details)
    }
    await throughKubeletRestart(node, apply, world, context)
  },
  effect: ({ machine }, model, desired) => setWantedConfig(model, desired, machine),
})

async function isConfigured(machine: string, world: World, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return false
  const version = await world.talos
    .node({ machine, address })
    .version(context.signal)
    .catch(() => undefined)
  return version !== undefined
}

/** The address where it waits for its config. DHCP assigned it, so it may differ from the final one. */
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
  return `${look} Without the guest agent its address is unknown: reserve ${address} for its MAC ${wanted.identity.mac}, or write network.agent: true or talos.delivery: cidata.`
}
