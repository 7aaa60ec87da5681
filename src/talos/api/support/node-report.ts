import { stringify } from 'yaml'
import { reasonOf } from '../../../errors.js'
import type { TalosNode } from '../port.js'
import type { SecretMask } from './secret-mask.js'

/** One file of a bundle, without secrets. */
export interface SupportFile {
  readonly path: string
  readonly text: string
}

const tailLines = 5000

/** Useful resources without secrets: type and namespace. */
const resources: readonly (readonly [string, string])[] = [
  ['MachineStatuses.runtime.talos.dev', 'runtime'],
  ['Members.cluster.talos.dev', 'cluster'],
  ['NodeAddresses.net.talos.dev', 'network'],
  ['AddressStatuses.net.talos.dev', 'network'],
  ['LinkStatuses.net.talos.dev', 'network'],
  ['RouteStatuses.net.talos.dev', 'network'],
  ['HostnameStatuses.net.talos.dev', 'network'],
  ['TimeStatuses.v1alpha1.talos.dev', 'runtime'],
  ['Disks.block.talos.dev', 'runtime'],
  ['VolumeStatuses.block.talos.dev', 'runtime'],
  ['DiscoveredVolumes.block.talos.dev', 'runtime'],
  ['Services.v1alpha1.talos.dev', 'runtime'],
  ['Nodenames.kubernetes.talos.dev', 'k8s'],
  ['NodeStatuses.kubernetes.talos.dev', 'k8s'],
  ['StaticPodStatuses.kubernetes.talos.dev', 'k8s'],
  ['EtcdMembers.etcd.talos.dev', 'etcd'],
  ['ExtensionStatuses.runtime.talos.dev', 'runtime'],
  ['SystemInformations.hardware.talos.dev', 'hardware'],
  ['Diagnostics.runtime.talos.dev', 'runtime'],
]

/** Everything that a node reports, as files. What it does not report is a file too, with the reason. */
export async function* nodeReport(
  name: string,
  node: TalosNode,
  mask: SecretMask,
  signal: AbortSignal,
): AsyncIterable<SupportFile> {
  const problems: string[] = []
  const ask = async (path: string, run: () => Promise<string>): Promise<SupportFile[]> => {
    try {
      return [{ path: `${name}/${path}`, text: mask.maskText(await run()) }]
    } catch (thrown) {
      signal.throwIfAborted()
      problems.push(`${path}: ${reasonOf(thrown)}`)
      return []
    }
  }

  yield* await ask('machine-config.yaml', async () => mask.maskConfig(await node.resources.machineConfig(signal)))
  yield* await ask('version.yaml', async () => stringify(await node.version(signal)))
  const services = await node.services(signal).catch(() => [])
  yield* await ask('services.yaml', async () => stringify(await node.services(signal)))
  yield* await ask('dmesg.log', () => textOf(node.dmesg({ follow: false, tail: false }, signal)))
  for (const { id } of services) {
    const options = { service: id, namespace: 'system', follow: false, tailLines } as const
    yield* await ask(`logs/${id}.log`, () => textOf(node.logs(options, signal)))
  }
  for (const [type, namespace] of resources) {
    yield* await ask(`resources/${type}.yaml`, async () =>
      stringify(await node.resources.list(type, namespace, signal)),
    )
  }
  if (services.some(({ id }) => id === 'etcd')) {
    yield* await ask('etcd.yaml', () => etcdReport(node, signal))
  }
  if (problems.length > 0) yield { path: `${name}/not-reported.txt`, text: mask.maskText(`${problems.join('\n')}\n`) }
}

async function etcdReport({ etcd }: TalosNode, signal: AbortSignal): Promise<string> {
  const [members, status, alarms] = await Promise.all([
    etcd.members({ local: true }, signal),
    etcd.status(signal),
    etcd.alarms(signal),
  ])
  return stringify({ members, status, alarms })
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
