import {
  type KubernetesPart,
  kubernetesImages,
  versionOfImage,
  withKubernetesImages,
} from '../cluster/config-images.js'
import { withoutProbes } from '../cluster/node-probes.js'
import type { WorkContext } from '../work/work-context.js'
import { findNode } from './kubernetes-node.js'
import { getAddress } from './node-address.js'
import { findStaticPod } from './static-pod.js'

/** A Kubernetes component on a machine, and its wanted image. */
export interface PartImage {
  readonly machine: string
  readonly part: KubernetesPart
  readonly image: string
}

/** Writes the image of one component into the machine's config, and nothing else. */
export async function writePartImage({ machine, part, image }: PartImage, context: WorkContext): Promise<void> {
  const node = context.talos.node({ machine, address: await getAddress(machine, context) })
  const active = withoutProbes(await node.resources.machineConfig(context.signal))
  const changed = withKubernetesImages(active, { [part]: image })
  if (changed === active) return
  context.assertLease()
  await node.applyConfiguration(changed, { mode: 'no-reboot' }, context.signal)
}

/**
 * Whether the component runs that image and is ready. kube-proxy does not belong to one machine: its manifest is synced
 * for all.
 */
export async function runsPart(wanted: PartImage, context: WorkContext): Promise<boolean> {
  const { machine, part, image } = wanted
  const node = context.talos.node({ machine, address: await getAddress(machine, context) })
  if (kubernetesImages(await node.resources.machineConfig(context.signal))[part] !== image) return false
  if (part === 'kube-proxy') return true
  if (part === 'kubelet') return runsKubelet(wanted, context)
  return (await serves(wanted, context)) && runsStaticPod(wanted, context)
}

async function runsKubelet({ machine, image }: PartImage, context: WorkContext): Promise<boolean> {
  const node = await findNode(machine, context)
  return node?.ready === true && node.kubeletVersion === versionOfImage(image)
}

/** An API server is queried directly: the next one follows only when this one is back. */
async function serves({ machine, part, image }: PartImage, context: WorkContext): Promise<boolean> {
  if (part !== 'kube-apiserver') return true
  const host = await getAddress(machine, context)
  return (await context.kubernetes.at([{ host, port: 6443 }]).version(context.signal)) === versionOfImage(image)
}

async function runsStaticPod({ machine, part, image }: PartImage, context: WorkContext): Promise<boolean> {
  const own = await findStaticPod(machine, part, context)
  return own?.isReady === true && own.images.includes(image)
}
