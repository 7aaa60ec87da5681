import { join } from 'node:path'
import { printable } from '../report/printable.js'
import { nodeReport, type SupportFile } from '../talos/api/support/node-report.js'
import { createSecretMask, type SecretMask } from '../talos/api/support/secret-mask.js'
import { writeTarGz } from '../talos/api/support/tar.js'
import { maskSecrets } from '../talos/config/mask-secrets.js'
import type { World } from '../world.js'
import { defineCommand } from './frame/define-command.js'
import { findNodeTargets, type NodeTarget } from './node-targets.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Collects versions, services, logs, kernel messages, resources and configs of every node in one archive. Secrets are masked.',
  examples: ['ichor support', 'ichor support --output /tmp/dev.tar.gz'],
  args: {
    ...inventoryArg,
    ...labArg,
    output: {
      type: 'text',
      short: 'o',
      placeholder: 'FILE',
      help: 'the archive; support-CLUSTER.tar.gz by default',
    },
  },
  async run({ inventory, lab, output }, context) {
    const one = await loadOne(inventory, context)
    const name = one.settings.cluster_name
    const path = join(output?.startsWith('/') ? '' : context.cwd, output ?? `support-${name}.tar.gz`)
    await withWorld(one, { lab, mayStartLab: false }, context, async ({ inventory: loaded, world }) => {
      const targets = await findNodeTargets(loaded, world, context.signal)
      const log = (text: string) => void context.stderr.write(`${printable(text)}\n`)
      await writeTarGz(path, reportCluster(world, targets, log, context.signal), new Date())
    })
    context.stdout.write(`${path}\n`)
    return 0
  },
})

/** The files of every node, one after another; the Kubernetes nodes come last. */
export async function* reportCluster(
  world: World,
  targets: readonly NodeTarget[],
  log: (text: string) => void,
  signal: AbortSignal,
): AsyncIterable<SupportFile> {
  const mask = createSecretMask(maskSecrets)
  mask.learn((await world.secrets.find().catch(() => undefined)) ?? {})
  for (const { name, address } of targets) {
    log(`asking ${name}`)
    yield* nodeReport(name, world.talos.node({ machine: name, address }), mask, signal)
  }
  yield await kubernetesReport(world, targets, mask, signal)
}

async function kubernetesReport(
  { kubernetes }: World,
  targets: readonly NodeTarget[],
  mask: SecretMask,
  signal: AbortSignal,
): Promise<SupportFile> {
  const { reasonOf } = await import('../errors.js')
  const { stringify } = await import('yaml')
  const controlPlanes = targets.filter(({ role }) => role === 'controlplane')
  const api = kubernetes.at(controlPlanes.map(({ address }) => ({ host: address, port: 6443 })))
  const answer = await api.nodes(signal).then(
    (nodes) => ({ nodes }),
    (thrown: unknown) => ({ not_read: reasonOf(thrown) }),
  )
  return { path: 'kubernetes/nodes.yaml', text: mask.maskText(stringify(answer)) }
}
