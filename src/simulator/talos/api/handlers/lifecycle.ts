import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { type ContainerdInstance, ContainerdNamespace } from '../../../../wire/common/common_pb.js'
import {
  type ImageService,
  ImageServicePullLayerProgress_Status as LayerStatus,
} from '../../../../wire/machine/image_pb.js'
import {
  type InstallArtifactsSource,
  type LifecycleService,
  LifecycleServiceInstallProgressSchema,
} from '../../../../wire/machine/lifecycle_pb.js'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import { findDevice } from '../../disks/drives.js'
import { assetOf } from '../../disks/system-disk.js'
import { durations } from '../../machine/durations.js'
import { isAbsent, pullProblem } from '../../machine/image-pull.js'
import { installOnDisk } from '../../machine/install.js'
import { installImage } from '../../machine/install-image.js'
import type { TalosMachine } from '../../machine/machine.js'
import { findInstallProblem } from '../../machine/upgrade.js'
import { machineOf } from '../call-context.js'

/** Installation over the API, since 1.13: it only writes the other slot; the caller does the rest. */
export const lifecycleHandlers = {
  install: async function* ({ containerd, source, destination }, context) {
    const machine = machineOf(context)
    refuseBefore13(machine)
    if (machine.system !== undefined) throw new ConnectError('Talos is already installed', Code.AlreadyExists)
    const image = pulledImage(machine, containerd, source)
    const disk = findDevice(machine.hardware, destination?.disk ?? '')?.disk
    if (disk === undefined) throw new ConnectError('an installation disk is required', Code.InvalidArgument)
    yield line(`running Talos installer ${image}`)
    await machine.fleet.clock.sleep(durations.install, context.signal)
    const medium = machine.fleet.findInstaller(image)
    if (medium === undefined) return yield exit(1)
    installOnDisk(machine, disk, assetOf(medium))
    yield exit(0)
  },
  upgrade: async function* ({ containerd, source }, context) {
    const machine = machineOf(context)
    refuseBefore13(machine)
    if (machine.system === undefined) throw new ConnectError('Talos is not installed', Code.FailedPrecondition)
    const image = pulledImage(machine, containerd, source)
    yield line(`running Talos installer ${image}`)
    const problem = findInstallProblem(machine, image)
    if (problem !== undefined) {
      yield line(problem)
      return yield exit(1)
    }
    await machine.fleet.clock.sleep(durations.upgrade, context.signal)
    installImage(machine, image)
    yield line('installation of the new version complete')
    yield exit(0)
  },
} satisfies ServiceImpl<typeof LifecycleService>

/** Images on the node. */
export const imageHandlers = {
  list: async function* ({ containerd }, context) {
    const machine = machineOf(context)
    refuseBefore13(machine)
    const prefix = `${namespaceOf(containerd)}/`
    for (const name of imagesOf(machine).filter((one) => one.startsWith(prefix))) {
      const createdAt = timestampFromMs(machine.bootedAt)
      yield { name: name.slice(prefix.length), digest: digestOf(name), size: 110_000_000n, createdAt }
    }
  },
  pull: async function* ({ containerd, imageRef }, context) {
    const machine = machineOf(context)
    refuseBefore13(machine)
    const namespace = namespaceOf(containerd)
    refuseIfAbsent(machine, imageRef)
    const layerId = digestOf(imageRef)
    for (const status of [LayerStatus.DOWNLOADING, LayerStatus.DOWNLOAD_COMPLETE, LayerStatus.EXTRACT_COMPLETE]) {
      yield {
        response: { case: 'pullProgress' as const, value: { layerId, progress: { status, total: 110_000_000n } } },
      }
    }
    await pull(machine, namespace, imageRef, context)
    yield { response: { case: 'name' as const, value: `${imageRef}@${digestOf(imageRef)}` } }
  },
  remove: ({ containerd, imageRef }, context) => {
    const machine = machineOf(context)
    refuseBefore13(machine)
    const images = imagesOf(machine)
    const index = images.indexOf(`${namespaceOf(containerd)}/${imageRef}`)
    if (index < 0) throw new ConnectError(`image "${imageRef}" not found`, Code.NotFound)
    images.splice(index, 1)
    return {}
  },
} satisfies ServiceImpl<typeof ImageService>

/** The older pull call. */
export const legacyImageHandlers = {
  imagePull: async ({ namespace, reference }, context) => {
    const name = namespace === ContainerdNamespace.NS_CRI ? 'cri' : 'system'
    await pull(machineOf(context), name, reference, context)
    return { messages: [{}] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function refuseIfAbsent(machine: TalosMachine, reference: string): void {
  const isInstaller = /installer(-secureboot)?[/:]/.test(reference)
  if (!isAbsent(reference) && !(isInstaller && machine.fleet.findInstaller(reference) === undefined)) return
  throw new ConnectError(
    `error pulling image: 1 error(s) occurred:\n\tfailed to pull image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
    Code.NotFound,
  )
}

async function pull(
  machine: TalosMachine,
  namespace: string,
  reference: string,
  { signal }: HandlerContext,
): Promise<void> {
  refuseIfAbsent(machine, reference)
  await machine.fleet.clock.sleep(durations.imagePull, signal)
  const problem = pullProblem(machine, reference)
  if (problem !== undefined) throw new ConnectError(problem, Code.Unknown)
  const images = imagesOf(machine)
  const entry = `${namespace}/${reference}`
  if (!images.includes(entry)) images.push(entry)
}

/** The named installer, which must have been pulled into that containerd before. */
function pulledImage(
  machine: TalosMachine,
  containerd: ContainerdInstance | undefined,
  source: InstallArtifactsSource | undefined,
): string {
  const image = source?.imageName ?? ''
  if (image === '') throw new ConnectError('image name is required', Code.InvalidArgument)
  if (imagesOf(machine).includes(`${namespaceOf(containerd)}/${image}`)) return image
  throw new ConnectError(`image "${image}" not found: it must be pulled first`, Code.Internal)
}

/** On the EPHEMERAL partition; in memory before it exists. */
function imagesOf({ system, imagesInMemory }: TalosMachine): string[] {
  return system?.ephemeral?.images ?? imagesInMemory
}

function namespaceOf(containerd: ContainerdInstance | undefined): 'system' | 'cri' {
  const namespace = containerd?.namespace ?? ContainerdNamespace.NS_UNKNOWN
  if (namespace === ContainerdNamespace.NS_UNKNOWN) {
    throw new ConnectError('containerd namespace is required', Code.InvalidArgument)
  }
  return namespace === ContainerdNamespace.NS_CRI ? 'cri' : 'system'
}

function refuseBefore13({ minor }: TalosMachine): void {
  if (minor < 13) throw new ConnectError('unknown service', Code.Unimplemented)
}

function line(text: string) {
  return { progress: create(LifecycleServiceInstallProgressSchema, { response: { case: 'message', value: text } }) }
}

function exit(code: number) {
  return { progress: create(LifecycleServiceInstallProgressSchema, { response: { case: 'exitCode', value: code } }) }
}

function digestOf(reference: string): string {
  return `sha256:${createHash('sha256').update(reference).digest('hex')}`
}
