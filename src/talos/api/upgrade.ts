import { compareVersions, parseVersion } from '../../cluster/version.js'
import { ContainerDriver, ContainerdNamespace } from '../../wire/common/common_pb.js'
import type { ImageServicePullResponse } from '../../wire/machine/image_pb.js'
import { type Channel, only } from './channel.js'
import type { UpgradeAnswer, UpgradeOptions } from './port.js'
import { answered, TalosError } from './talos-error.js'

const lifecycleSince = { major: 1, minor: 13, patch: 0 }

/**
 * Installs another version. Talos 1.13 and later use the lifecycle service, which only installs: the caller does etcd
 * checks, cordon, drain, reboot and uncordon. Before that, or staged, the node does all of it.
 */
export async function upgrade(
  channel: Channel,
  image: string,
  { stage, isPulled = false, onProgress }: UpgradeOptions,
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  const onLine = onProgress ?? (() => {})
  if (stage || !(await hasLifecycle(channel, signal))) return upgradeByMachine(channel, image, stage, signal)
  if (!isPulled) await pull(channel, image, 'system', onLine, signal)
  await install(channel, image, onLine, signal)
  return { by: 'lifecycle' }
}

async function hasLifecycle(channel: Channel, signal: AbortSignal): Promise<boolean> {
  const { messages } = await channel.call('Version', 'quick', signal, (call) => channel.machine.version({}, call))
  const running = parseVersion(only(channel, 'Version', messages).version?.tag ?? '')
  if (running === undefined) return false
  const { major, minor, patch } = running
  return compareVersions({ major, minor, patch }, lifecycleSince) >= 0
}

async function upgradeByMachine(
  channel: Channel,
  image: string,
  stage: boolean,
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  const { messages } = await channel.call('Upgrade', 'long', signal, (call) =>
    channel.machine.upgrade({ image, stage }, call),
  )
  only(channel, 'Upgrade', messages)
  return { by: 'machine' }
}

const containerd = (namespace: 'system' | 'cri') => ({
  driver: ContainerDriver.CRI,
  namespace: namespace === 'system' ? ContainerdNamespace.NS_SYSTEM : ContainerdNamespace.NS_CRI,
})

/** An exit code other than 0 is a failure, although the call succeeds. */
async function install(channel: Channel, image: string, onLine: (line: string) => void, signal: AbortSignal) {
  const name = 'Lifecycle Upgrade'
  const request = { containerd: containerd('system'), source: { imageName: image } }
  let lastLine = ''
  for await (const { progress } of channel.stream(name, 'working', signal, (call) =>
    channel.lifecycle.upgrade(request, call),
  )) {
    if (progress?.response.case === 'message') {
      lastLine = progress.response.value
      onLine(lastLine)
    }
    if (progress?.response.case !== 'exitCode') continue
    if (progress.response.value === 0) return
    const words = `the installer ended with ${progress.response.value}, after "${lastLine}"`
    throw answered('Internal', words, channel.target, name)
  }
  throw answered('Unavailable', 'the installer did not report its result', channel.target, name)
}

/** Pulls an image to the node; with the old call if the new service is missing. */
export async function pullImage(
  channel: Channel,
  reference: string,
  namespace: 'system' | 'cri',
  signal: AbortSignal,
): Promise<void> {
  try {
    await pull(channel, reference, namespace, () => {}, signal)
  } catch (thrown) {
    if (!(thrown instanceof TalosError) || thrown.grpcCode !== 'Unimplemented') throw thrown
    await channel.call('ImagePull', 'long', signal, (call) =>
      channel.machine.imagePull({ namespace: containerd(namespace).namespace, reference }, call),
    )
  }
}

async function pull(
  channel: Channel,
  imageRef: string,
  namespace: 'system' | 'cri',
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const request = { containerd: containerd(namespace), imageRef }
  let isNamed = false
  for await (const message of channel.stream('Image Pull', 'working', signal, (call) =>
    channel.images.pull(request, call),
  )) {
    if (message.response.case === 'name') isNamed = true
    onLine(lineFrom(message))
  }
  if (!isNamed) throw answered('Unavailable', `${imageRef} did not arrive`, channel.target, 'Image Pull')
}

function lineFrom({ response }: ImageServicePullResponse): string {
  if (response.case === 'name') return `pulled ${response.value}`
  const { layerId = '', progress } = response.value ?? {}
  return `pulling ${layerId.slice(0, 19)}: ${progress?.offset ?? 0n} of ${progress?.total ?? 0n} bytes`
}
