import { awaitingEtcd, awaitsEtcd } from '../etcd/etcd-waits.js'
import { expectNoEtcd } from '../etcd/planned-etcd.js'
import { guardClearing } from '../etcd/recovery-memory.js'
import { readBootId } from '../node/boot-id.js'
import { guardIdentity } from '../node/guard-identity.js'
import { findAddress, getAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { waitUntil } from '../work/wait-until.js'
import { findSeen } from '../work/wanted-machine.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const minute = 60_000

/**
 * Wipes /var of a control plane whose etcd is being replaced, including its member, and reboots it with its config. It
 * does not leave etcd first: there may be no majority to remove it.
 */
export const wipeEtcd = defineStep({
  kind: 'wipe-etcd',
  args: machineArgs,
  title: ({ machine }) => `wipe the old etcd of ${machine} and reboot it`,
  changes: true,
  disruptive: true,
  done: async ({ machine }, context) =>
    (await findNodeOf(machine, context).then((node) => node && awaitsEtcd(node, context.signal), no)) ?? false,
  async guard({ machine }, context) {
    await guardClearing(machine, context)
    await guardIdentity(machine, await getAddress(machine, context), context)
  },
  async run({ machine }, context) {
    const address = await getAddress(machine, context)
    const node = context.talos.node({ machine, address })
    const before = await readBootId(node, context.signal)
    context.assertLease()
    await node.reset(
      { graceful: false, reboot: true, systemPartitions: partitionsOf(machine, context) },
      context.signal,
    )
    await waitUntil(
      {
        forWhat: `${machine} to be back without etcd`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 500,
        fix: 'Look at its console in Proxmox. Run the same command again to continue.',
        machine,
      },
      async () => {
        if ((await readBootId(node, context.signal)) === before) return undefined
        return (await awaitsEtcd(node, context.signal)) ? true : undefined
      },
      context,
    )
  },
  effect: ({ machine }, model, desired) => {
    changeMachine(model, desired, machine, ({ talos, node: _, ...rest }) => ({
      ...rest,
      talos: talos.reach === 'secured' ? awaitingEtcd(talos) : talos,
    }))
    expectNoEtcd(model, desired, machine)
  },
})

function no(): undefined {
  return undefined
}

async function findNodeOf(machine: string, context: StepContext) {
  const address = await findAddress(machine, context)
  return address === undefined ? undefined : context.talos.node({ machine, address })
}

/** Includes the separate etcd volume, if there is one. */
function partitionsOf(machine: string, { observed }: StepContext): string[] {
  const talos = findSeen(observed, machine)?.talos
  const config = talos?.reach === 'secured' && talos.config.seen ? talos.config.value : ''
  const hasOwnVolume = config
    .split(/^---$/m)
    .some((document) => /^kind: VolumeConfig$/m.test(document) && /^name: ETCD$/m.test(document))
  return hasOwnVolume ? ['EPHEMERAL', 'ETCD'] : ['EPHEMERAL']
}
