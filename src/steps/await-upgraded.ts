import { z } from 'zod'
import { isNodeBack } from '../node/kubernetes-node.js'
import { getAddress } from '../node/node-address.js'
import { askRelease, isRelease } from '../node/talos-release.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/** After an upgrade: its etcd member votes, its services run and its node is Ready, so the next machine may follow. */
export const awaitUpgraded = defineStep({
  kind: 'await-upgraded',
  args: z.strictObject({
    machine: z.string(),
    version: z.string(),
    schematic: z.string().optional(),
    isControlPlane: z.boolean(),
    isNode: z.boolean(),
    isSick: z.boolean().optional(),
  }),
  title: ({ machine, version }) => `wait for ${machine} to work with Talos ${version}`,
  changes: false,
  disruptive: false,
  inUpgrade: 'machine',
  done: async () => false,
  async run({ machine, isControlPlane, isNode, isSick: _, ...release }, context) {
    await waitUntil(
      {
        forWhat: `${machine} to be ready after its upgrade`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet and ichor dmesg ${machine} show more.`,
        machine,
      },
      async () => {
        if (!isRelease(await askRelease(machine, context), release)) return undefined
        const talos = context.talos.node({ machine, address: await getAddress(machine, context) })
        if (isControlPlane && /^0*$/.test((await talos.etcd.status(context.signal)).leader)) return undefined
        const { stage, ready } = await talos.resources.machineStatus(context.signal)
        if (stage !== 'running' || !ready) return undefined
        return !isNode || (await isNodeBack(machine, talos, context)) ? true : undefined
      },
      context,
    )
  },
  effect: () => undefined,
})
