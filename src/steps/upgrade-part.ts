import { z } from 'zod'
import { kubernetesParts, versionOfImage, withKubernetesImages } from '../cluster/config-images.js'
import { seen } from '../cluster/seen.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { runsPart, writePartImage } from '../machine/kubernetes-part.js'
import type { Model } from '../machine/model.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/** One Kubernetes component on one machine: changes its image in the config and waits until it runs. */
export const upgradePart = defineStep({
  kind: 'upgrade-part',
  args: z.strictObject({ machine: z.string(), part: z.enum(kubernetesParts), image: z.string() }),
  title: ({ machine, part, image }) => `upgrade ${part} of ${machine} to ${versionOfImage(image) ?? image}`,
  changes: true,
  disruptive: true,
  done: (args, world, context) => runsPart(args, world, context),
  guard: async ({ machine }, world, context) =>
    guardIdentity(machine, await getAddress(machine, world, context), world, context),
  async run(args, world, context) {
    const { machine, part } = args
    context.assertLease()
    await writePartImage(args, world, context)
    await waitUntil(
      {
        forWhat: `${part} of ${machine} to run its new version`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet shows more. Run the same command again to continue.`,
        machine,
      },
      async () => ((await runsPart(args, world, context)) ? true : undefined),
      world,
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
