import type { Desired, DesiredImage } from '../desired/desired.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'
import { taskProgress } from './task-progress.js'

/** A Talos image onto a storage, fetched by the Proxmox host itself. */
export const fetchImage = defineStep<{ image: string }>({
  kind: 'fetch-image',
  title: ({ image }, desired) => {
    const { filename, host, datastore } = imageOf(desired, image)
    return `download ${filename} to ${datastore} on ${host}`
  },
  lane: ({ image }, desired) => ({ name: `download:${imageOf(desired, image).host}`, limit: 2 }),
  changes: true,
  disruptive: false,
  async done({ image }, world, context) {
    return isThere(imageOf(context.desired, image), world, context)
  },
  async run({ image }, world, context) {
    const wanted = imageOf(context.desired, image)
    if (wanted.schematic !== undefined) await world.factory.register(wanted.schematic, context.signal)
    if (await adoptRunningDownload(wanted, world, context)) return
    await removeLeftover(wanted, world, context)
    context.assertLease()
    const task = await world.proxmox.images.download(
      wanted.host,
      wanted.datastore,
      {
        url: wanted.url,
        content: wanted.content,
        filename: wanted.filename,
        ...(wanted.checksum === undefined ? {} : { checksum: wanted.checksum }),
      },
      context.signal,
    )
    await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
  },
  effect: ({ image }, observed, desired) => {
    const wanted = imageOf(desired, image)
    const volume = {
      host: wanted.host,
      volid: volidOf(wanted),
      content: wanted.content,
      format: wanted.content === 'iso' ? 'iso' : 'qcow2',
      size: 0,
    }
    return { ...observed, proxmox: { ...observed.proxmox, volumes: [...observed.proxmox.volumes, volume] } }
  },
})

export function imageOf(desired: Desired, key: string): DesiredImage {
  const found = desired.images.find((image) => image.key === key)
  if (found === undefined) throw new Error(`no image ${key} is wanted`)
  return found
}

/** `local:import/talos-….qcow2`. */
export function volidOf({ datastore, content, filename }: DesiredImage): string {
  return `${datastore}:${content}/${filename}`
}

/** Complete when its size is the one that the factory tells: a download that was cut off is listed under its final name. */
async function isThere(image: DesiredImage, world: World, { signal }: StepContext): Promise<boolean> {
  const volumes = await world.proxmox.storage.content(image.host, image.datastore, image.content, signal)
  const volume = volumes.find(({ volid }) => volid === volidOf(image))
  if (volume === undefined) return false
  if (await runningDownload(image, world, signal)) return false
  return volume.size === (await world.factory.size(image.url, signal))
}

async function runningDownload(image: DesiredImage, world: World, signal: AbortSignal) {
  const running = await world.proxmox.tasks.running(image.host, signal)
  return running.find(({ type, id }) => type === 'download' && decodeURIComponent(id) === image.filename)
}

/** A download of ours from before a kill goes on without us: it is waited for. */
async function adoptRunningDownload(image: DesiredImage, world: World, context: StepContext): Promise<boolean> {
  const task = await runningDownload(image, world, context.signal)
  if (task === undefined) return false
  context.note('waiting for the download that is already running')
  await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
  return isThere(image, world, context)
}

async function removeLeftover(image: DesiredImage, world: World, context: StepContext): Promise<void> {
  const volumes = await world.proxmox.storage.content(image.host, image.datastore, image.content, context.signal)
  if (!volumes.some(({ volid }) => volid === volidOf(image))) return
  context.note('removing an incomplete download')
  context.assertLease()
  const task = await world.proxmox.storage.removeVolume(image.host, volidOf(image), context.signal)
  if (task !== undefined) await world.proxmox.tasks.wait(task, context.signal)
}
