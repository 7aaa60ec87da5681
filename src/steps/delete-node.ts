import { z } from 'zod'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { defineStep, type StepContext } from './step.js'

/** Deletes the Node object, which Talos leaves behind. */
export const deleteNode = defineStep({
  kind: 'delete-node',
  args: z.strictObject({ machine: z.string(), node: z.string() }),
  title: ({ node }) => `delete node ${node} from Kubernetes`,
  changes: true,
  disruptive: false,
  sentence: (_reason, title) => title,
  done: async ({ node }, context) => !(await exists(node, context)),
  async run({ node }, context) {
    context.assertLease()
    await (await kubernetesApi(context)).deleteNode(node, context.signal)
  },
  effect: ({ node }, model) => model.removeNode(node),
})

async function exists(node: string, context: StepContext): Promise<boolean> {
  const nodes = await (await kubernetesApi(context)).nodes(context.signal)
  return nodes.some(({ name }) => name === node)
}
