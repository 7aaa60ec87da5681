import { z } from 'zod'
import { unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { expectEtcd, withHealthy } from '../etcd/planned-etcd.js'
import { isNodeBack, nodeOf } from '../node/kubernetes-node.js'
import { findAddress } from '../node/node-address.js'
import { hasWantedConfig } from '../node/talos-config.js'
import { changeMachine } from '../vm/observed-change.js'
import type { Model } from '../work/model.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, type StepContext } from './step.js'

const minute = 60_000

/**
 * After a restart: the machine runs its config, its etcd member votes and its node is Ready, so the next machine may
 * follow.
 */
export const awaitBack = defineStep({
  kind: 'await-back',
  args: z.strictObject({
    machine: z.string(),
    isControlPlane: z.boolean(),
    isNode: z.boolean(),
    /** Its etcd did not start before: Talos does not call it ready. */
    isSick: z.boolean().optional(),
    /** There is no new config to apply. */
    after: z.enum(['move', 'start']).optional(),
  }),
  title: ({ machine }) => `wait for ${machine} to be back`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async run({ machine, isControlPlane, isNode, isSick = false, after }, context) {
    await waitUntil(
      {
        forWhat: `${machine} to be back after its ${after ?? 'restart'}`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `Look at its console in Proxmox; ichor logs ${machine} kubelet shows more.`,
        machine,
      },
      async () => {
        const address = await findAddress(machine, context)
        if (address === undefined) return undefined
        if (after === undefined && !(await runsWantedConfig(machine, context))) return undefined
        const talos = context.talos.node({ machine, address })
        if (isControlPlane && /^0*$/.test((await talos.etcd.status(context.signal)).leader)) return undefined
        if (!isNode) return talos.version(context.signal)
        const { ready } = await talos.resources.machineStatus(context.signal)
        return (ready || isSick) && (await isNodeBack(machine, talos, context)) ? true : undefined
      },
      context,
    )
  },
  effect: ({ machine, isControlPlane, after }, model, desired) => {
    if (isControlPlane) model.change(({ etcd }) => ({ etcd: withHealthy(etcd, machine) }))
    if (after === 'start') expectStarted(machine, model, desired)
  },
})

/** Also if its config is not known: then it was given none. */
async function runsWantedConfig(machine: string, context: StepContext): Promise<boolean> {
  return machineOf(context.desired, machine).talos === undefined || (await hasWantedConfig(machine, context))
}

/** A machine that was off is a member and a node as before. */
function expectStarted(machine: string, model: Model, desired: Desired): void {
  const { talosVersion: version, kubernetesVersion } = desired.cluster
  changeMachine(model, desired, machine, ({ mark, node }) => ({
    talos: { reach: 'secured', version, stage: 'booting', ready: true, unmet: [], config: unseen('it was off') },
    node: node ?? nodeOf({ name: machine, uuid: mark.uuid }, kubernetesVersion),
  }))
  expectEtcd(model, desired)
}
