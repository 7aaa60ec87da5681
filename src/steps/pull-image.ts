import { z } from 'zod'
import { UserFacingError } from '../errors.js'
import { getAddress } from '../node/node-address.js'
import { defineStep } from './step.js'

/** Nodes that pull at the same time, so that the registry is not flooded. */
const nodesAtOnce = 16

/** Pulls an image to a node before anything depends on it: a failed pull stops an upgrade before its first reboot. */
export const pullImage = defineStep({
  kind: 'pull-image',
  args: z.strictObject({ machine: z.string(), image: z.string(), namespace: z.enum(['system', 'cri']) }),
  title: ({ machine, image }) => `pull ${shortName(image)} on ${machine}`,
  lane: () => ({ name: 'pull', limit: nodesAtOnce }),
  changes: true,
  disruptive: false,
  inUpgrade: 'machine',
  follows: true,
  done: async () => false,
  async run({ machine, image, namespace }, context) {
    const address = await getAddress(machine, context)
    context.assertLease()
    const node = context.talos.node({ machine, address })
    await node.pullImage(image, namespace, context.signal).catch((thrown: unknown) => {
      throw isRegistryAway(thrown) ? new NotPulled(machine, thrown) : thrown
    })
  },
  effect: () => undefined,
})

/** No registry returned the image, for a reason that may be temporary. */
class NotPulled extends UserFacingError {
  readonly code = 'image'
  readonly exitCode = 1
  readonly isTransient = true

  constructor(machine: string, cause: UserFacingError) {
    super(cause.message, {
      where: cause.where,
      fix: `Check that ${machine} reaches the registry, or a mirror of it: talos.registries, for a drill drill.mirror.`,
      cause,
    })
  }
}

function isRegistryAway(thrown: unknown): thrown is UserFacingError {
  return thrown instanceof UserFacingError && /failed to pull image/.test(thrown.message)
}

/** `nocloud-installer:v1.13.9`, because a schematic ID fills a line. */
function shortName(image: string): string {
  const [, name = image, tag = ''] = /([^/]+?)(?:\/[0-9a-f]{64})?(:[^:/]+)$/.exec(image) ?? []
  return `${name}${tag}`
}
