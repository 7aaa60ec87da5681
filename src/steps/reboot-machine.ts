import { z } from 'zod'
import { guardPause } from '../etcd/etcd-guards.js'
import { guardIdentity } from '../node/guard-identity.js'
import { findAddress } from '../node/node-address.js'
import type { Mark } from '../ownership/mark.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, getOwned, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { switchPower } from '../vm/switch-power.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

/** Through its API; if that does not respond, by stopping and starting the VM. Recorded in the mark after the boot. */
export const rebootMachine = defineStep({
  kind: 'reboot-machine',
  args: z.strictObject({ machine: z.string(), by: z.string() }),
  title: ({ machine }) => `reboot ${machine}`,
  changes: true,
  disruptive: true,
  writesVm: true,
  sentence: (reason) => (reason === 'requested' ? 'drained and rebooted, as requested' : reason),
  done: async ({ machine, by }, context) => (await findOwned(machine, context))?.mark.more?.rebooted === by,
  async guard({ machine }, context) {
    const address = await findAddress(machine, context)
    if (address !== undefined && (await findBootTime(machine, address, context)) !== undefined)
      await guardIdentity(machine, address, context)
    await guardPause(machine, context)
  },
  async run({ machine, by }, context) {
    const address = await findAddress(machine, context)
    const before = address === undefined ? undefined : await findBootTime(machine, address, context)
    context.assertLease()
    if (address === undefined || before === undefined) await powerCycle(machine, context)
    else
      await context.talos.node({ machine, address }).reboot('default', context.signal).catch(ignoreLostAnswer(context))
    await awaitBoot(machine, before ?? 0, context)
    const over = ({ mark, config }: OwnedVm) => ({
      description: marked(config.options.description, rebooted(mark, by), context.desired),
    })
    await setOwned(machine, over, context)
  },
  effect: ({ machine, by }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: rebooted(mark, by) })),
})

function rebooted({ more: { reboot: _, ...more } = {}, ...mark }: Mark, by: string): Mark {
  return { ...mark, more: { ...more, rebooted: by } }
}

async function powerCycle(machine: string, context: StepContext): Promise<void> {
  context.note('its API does not answer: the VM is stopped and started')
  for (const power of ['stopped', 'running'] as const) {
    const owned = await getOwned(machine, context)
    context.assertLease()
    await switchPower(owned, power, context)
  }
}

async function awaitBoot(machine: string, before: number, context: StepContext): Promise<void> {
  await waitUntil(
    {
      forWhat: `${machine} to boot`,
      where: `machine ${machine}`,
      timeoutMs: 15 * minute,
      intervalMs: 1000,
      fix: 'Look at its console in Proxmox.',
      machine,
    },
    async () => {
      const address = await findAddress(machine, context)
      const booted = address === undefined ? undefined : await findBootTime(machine, address, context)
      return booted !== undefined && booted > before ? true : undefined
    },
    context,
  )
}

async function findBootTime(machine: string, address: string, { talos, signal }: StepContext) {
  return talos
    .node({ machine, address })
    .bootTime(signal)
    .catch(() => {
      signal.throwIfAborted()
      return undefined
    })
}

/** A node that shuts down may not respond in time. Whether it reboots is observed. */
function ignoreLostAnswer({ signal, note }: StepContext): (thrown: unknown) => void {
  return (thrown) => {
    const { grpcCode } = thrown as { grpcCode?: unknown }
    if (signal.aborted || (grpcCode !== 'Unavailable' && grpcCode !== 'Canceled')) throw thrown
    note('the answer to the reboot was lost: it is seen whether it boots')
  }
}
