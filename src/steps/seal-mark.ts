import { otherMachineAnswers } from '../findings/refusals/machines.js'
import { findAddress } from '../node/node-address.js'
import { lacksBirth, withBirth } from '../ownership/born.js'
import { type Mark, readMark } from '../ownership/mark.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned, type OwnedVm, setOwned } from '../vm/owned-vm.js'
import { assertPooled } from '../vm/pooled.js'
import { defineStep, machineArgs, noArgs } from './step.js'

/**
 * A mark from before marks had seals or recorded the VM's creation time. It is sealed once: when the VM is in the
 * cluster's pool, its UUID and MAC match the mark, and the node confirms over its authenticated API that it is that
 * machine.
 */
export const sealMark = defineStep({
  kind: 'seal-mark',
  args: machineArgs,
  title: ({ machine }) => `seal the mark of ${machine}`,
  changes: true,
  disruptive: false,
  writesVm: true,
  sentence: () => "ichor's mark in its notes is completed",
  async done({ machine }, context) {
    const { config, mark } = await getOwned(machine, context)
    return readMark(config.options.description)?.seal !== undefined && !lacksBirth(mark, config)
  },
  async guard({ machine }, context) {
    const owned = await getOwned(machine, context)
    await assertPooled(owned, context)
    const address = await findAddress(machine, context)
    if (owned.mark.stage === 'making' || address === undefined) return
    const uuid = await context.talos.node({ machine, address }).resources.systemUuid(context.signal)
    if (uuid === owned.mark.uuid) return
    throw otherMachineAnswers.refuse(
      `The mark of VM ${owned.vmid} names ${machine}, but the node there is another one.`,
      {
        subject: { kind: 'machine', name: machine },
        where: `Proxmox host ${owned.host}, VM ${owned.vmid}`,
        fix: 'Compare the UUID of the VM with that of the node, and check who changed the notes of the VM.',
      },
    )
  },
  async run({ machine }, context) {
    const seal = ({ mark, config }: OwnedVm) => ({
      description: marked(config.options.description, finished(mark, config), context.desired),
    })
    await setOwned(machine, seal, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark, options }) => ({
      isSealed: true,
      mark: finished(mark, { options }),
    })),
})

/** A machine that is still being created gets the rest when it is made. */
function finished(mark: Mark, config: Pick<OwnedVm['config'], 'options'>): Mark {
  return lacksBirth(mark, config) ? withBirth(mark, config) : mark
}

/** From now on a mark without a seal is forged or damaged. */
export const rememberSeals = defineStep({
  kind: 'remember-seals',
  args: noArgs,
  title: () => 'note in the secrets that every mark is sealed',
  changes: true,
  disruptive: false,
  done: async (_args, { secrets }) => (await secrets.find())?.memory.sealed === true,
  async run(_args, { secrets, assertLease }) {
    assertLease()
    await secrets.remember({ sealed: true })
  },
  effect: (_args, model) => model.change(({ secrets }) => ({ secrets: { ...secrets, sealed: true } })),
})
