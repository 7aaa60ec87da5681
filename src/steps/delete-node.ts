import { z } from 'zod'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

/** Deletes the Node object, which Talos leaves behind. */
export const deleteNode = defineStep({
  kind: 'delete-node',
  args: z.strictObject({ machine: z.string(), node: z.string() }),
  title: ({ node }) => `delete node ${node} from Kubernetes`,
  changes: true,
  disruptive: false,
  done: async ({ node }, world, context) => !(await exists(node, world, context)),
  async run({ node }, world, context) {
    context.assertLease()
    await (await kubernetesApi(world, context)).deleteNode(node, context.signal)
  },
  effect: ({ node }, model) => model.removeNode(node),
})

async function exists(node: string, world: World, context: StepContext): Promise<boolean> {
  const nodes = await (await kubernetesApi(world, context)).nodes(context.signal)
  return nodes.some(({ name }) => name === node)
}
