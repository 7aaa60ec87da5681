import { configInputs } from '../node/config-inputs.js'
import { guardIdentity } from '../node/guard-identity.js'
import { throughKubeletRestart } from '../node/kubelet-restart.js'
import { findAddress, findReportedAddress, getAddress } from '../node/node-address.js'
import { configFor, hasWantedConfig, setWantedConfig, wantedTalos } from '../node/talos-config.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned } from '../vm/owned-vm.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
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
  done: async ({ machine }, context) => isConfigured(machine, context),
  async run({ machine }, context) {
    const { identity } = machineOf(context.desired, machine).machine
    const { config } = await getOwned(machine, context)
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
      () => inMaintenance(machine, context),
      context,
    )
    context.assertLease()
    await context.talos
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
  done: async ({ machine }, context) => hasWantedConfig(machine, context),
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  guard: async ({ machine }, context) => guardIdentity(machine, await getAddress(machine, context), context),
  async run({ machine }, context) {
    const node = context.talos.node({ machine, address: await getAddress(machine, context) })
    const apply = async () => {
      context.assertLease()
      const config = await configFor(machine, node, context)
      const { mode, details } = await node.applyConfiguration(config, { mode: 'auto' }, context.signal)
      context.note(details === '' ? `applied (${mode})` : details)
    }
    await throughKubeletRestart(node, apply, context)
  },
  effect: ({ machine }, model, desired) => setWantedConfig(model, desired, machine),
})

async function isConfigured(machine: string, context: StepContext): Promise<boolean> {
  const address = await findAddress(machine, context)
  if (address === undefined) return false
  const version = await context.talos
    .node({ machine, address })
    .version(context.signal)
    .catch(() => undefined)
  return version !== undefined
}

/** The address where it waits for its config. DHCP assigned it, so it may differ from the final one. */
async function inMaintenance(machine: string, context: StepContext): Promise<string | undefined> {
  const { address: wanted, hasAgent } = machineOf(context.desired, machine)
  const reported = wanted === undefined || hasAgent ? await findReportedAddress(machine, context) : undefined
  const possible = [...new Set([reported, wanted])].filter((address) => address !== undefined)
  const found = await Promise.allSettled(
    possible.map(async (address) => {
      const identity = await context.talos.maintenance({ machine, address }).findIdentity(context.signal)
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
