import { z } from 'zod'
import { getAddress } from '../machine/node-address.js'
import { defineStep } from './step.js'

/** As many nodes as pull at the same time: a registry is not flooded. */
const nodesAtOnce = 16

/** An image onto a node before anything depends on it: what cannot be pulled stops a roll before its first reboot. */
export const pullImage = defineStep({
  kind: 'pull-image',
  args: z.strictObject({ machine: z.string(), image: z.string(), namespace: z.enum(['system', 'cri']) }),
  title: ({ machine, image }) => `pull ${shortName(image)} on ${machine}`,
  lane: () => ({ name: 'pull', limit: nodesAtOnce }),
  changes: true,
  disruptive: false,
  done: async () => false,
  async run({ machine, image, namespace }, world, context) {
    const address = await getAddress(machine, world, context)
    context.assertLease()
    await world.talos.node({ machine, address }).pullImage(image, namespace, context.signal)
  },
  effect: () => undefined,
})

/** `nocloud-installer:v1.13.9`: a schematic is as long as a line. */
function shortName(image: string): string {
  const [, name = image, tag = ''] = /([^/]+?)(?:\/[0-9a-f]{64})?(:[^:/]+)$/.exec(image) ?? []
  return `${name}${tag}`
}
