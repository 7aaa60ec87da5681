import { z } from 'zod'
import { kubernetesParts, versionOfImage, withKubernetesImages } from '../cluster/config-images.js'
import { seen } from '../cluster/seen.js'
import { guardIdentity } from '../node/guard-identity.js'
import { runsPart, writePartImage } from '../node/kubernetes-part.js'
import { getAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import type { Model } from '../work/model.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/** One Kubernetes component on one machine: changes its image in the config and waits until it runs. */
export const upgradePart = defineStep({
  kind: 'upgrade-part',
  args: z.strictObject({ machine: z.string(), part: z.enum(kubernetesParts), image: z.string() }),
  title: ({ machine, part, image }) => `upgrade ${part} of ${machine} to ${versionOfImage(image) ?? image}`,
  changes: true,
  disruptive: true,
  inUpgrade: 'after',
  done: (args, context) => runsPart(args, context),
  guard: async ({ machine }, context) => guardIdentity(machine, await getAddress(machine, context), context),
  async run(args, context) {
    const { machine, part } = args
    context.assertLease()
    await writePartImage(args, context)
    await waitUntil(
      {
        forWhat: `${part} of ${machine} to run its new version`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet shows more. Run the same command again to continue.`,
        machine,
      },
      async () => ((await runsPart(args, context)) ? true : undefined),
      context,
    )
  },
  effect: ({ machine, part, image }, model, desired) => {
    const version = versionOfImage(image)
    changeMachine(model, desired, machine, ({ talos, node }) => {
      if (talos.reach !== 'secured' || !talos.config.seen) return {}
      const config = seen(withKubernetesImages(talos.config.value, { [part]: image }))
      const isKubelet = part === 'kubelet' && node !== undefined && version !== undefined
      return { talos: { ...talos, config }, ...(isKubelet ? { node: { ...node, kubeletVersion: version } } : {}) }
    })
    if (part === 'kube-apiserver' && version !== undefined) serveVersion(model, version)
  },
})

function serveVersion(model: Model, version: string): void {
  model.change(({ kubernetes }) =>
    kubernetes.seen && kubernetes.value !== undefined ? { kubernetes: seen({ ...kubernetes.value, version }) } : {},
  )
}
