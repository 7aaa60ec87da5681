import { z } from 'zod'
import { findNode } from '../machine/kubernetes-node.js'
import { findAddress } from '../machine/node-address.js'
import { withHealthy } from '../machine/planned-etcd.js'
import { hasWantedConfig } from '../machine/talos-config.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/** After a restart: the machine runs with its config, its etcd member votes and its node is Ready, so that the next one may go. */
export const awaitBack = defineStep({
  kind: 'await-back',
  args: z.strictObject({
    machine: z.string(),
    isControlPlane: z.boolean(),
    isNode: z.boolean(),
    /** It has no new config to take over. */
    after: z.literal('move').optional(),
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
        return ready && (await findNode(machine, world, context))?.ready ? true : undefined
      },
      world,
      context,
    )
  },
  effect: ({ machine, isControlPlane }, model) => {
    if (isControlPlane) model.change(({ etcd }) => ({ etcd: withHealthy(etcd, machine) }))
  },
})
