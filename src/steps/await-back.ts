import { z } from 'zod'
import { unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { isNodeBack, nodeOf } from '../machine/kubernetes-node.js'
import type { Model } from '../machine/model.js'
import { findAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { expectEtcd, withHealthy } from '../machine/planned-etcd.js'
import { hasWantedConfig } from '../machine/talos-config.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep } from './step.js'

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
    /** There is no new config to apply. */
    after: z.enum(['move', 'start']).optional(),
  }),
  title: ({ machine }) => `wait for ${machine} to be back`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async run({ machine, isControlPlane, isNode, after }, world, context) {
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
        const address = await findAddress(machine, world, context)
        if (address === undefined) return undefined
        if (after === undefined && !(await hasWantedConfig(machine, world, context))) return undefined
        const talos = world.talos.node({ machine, address })
        if (isControlPlane && /^0*$/.test((await talos.etcd.status(context.signal)).leader)) return undefined
        if (!isNode) return talos.version(context.signal)
        const { ready } = await talos.resources.machineStatus(context.signal)
        return ready && (await isNodeBack(machine, talos, world, context)) ? true : undefined
      },
      world,
      context,
    )
  },
  effect: ({ machine, isControlPlane, after }, model, desired) => {
    if (isControlPlane) model.change(({ etcd }) => ({ etcd: withHealthy(etcd, machine) }))
    if (after === 'start') expectStarted(machine, model, desired)
  },
})

/** A machine that was off is a member and a node as before. */
function expectStarted(machine: string, model: Model, desired: Desired): void {
  const { talosVersion: version, kubernetesVersion } = desired.cluster
  changeMachine(model, desired, machine, ({ mark, node }) => ({
    talos: { reach: 'secured', version, stage: 'booting', ready: true, unmet: [], config: unseen('it was off') },
    node: node ?? nodeOf({ name: machine, uuid: mark.uuid }, kubernetesVersion),
  }))
  expectEtcd(model, desired)
}
