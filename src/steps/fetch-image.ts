import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { DesiredImage, FactoryOrigin } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { imageOf, volidOf } from '../machine/desired-parts.js'
import { registerSchematic } from '../machine/register-schematic.js'
import { withVolume } from '../machine/storage-contents.js'
import type { FileToUpload } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { fetchImage as fetchFromFactory } from '../talos/image/fetch-image.js'
import { inTemporaryFolder } from '../temporary-folder.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

/** Puts a Talos image on a storage: the Proxmox host downloads it, or this computer uploads it. */
export const fetchImage = defineStep({
  kind: 'fetch-image',
  args: z.strictObject({ image: z.string() }),
  title: ({ image }, desired) => {
    const { filename, host, datastore, origin } = imageOf(desired, image)
    return `${origin.kind === 'file' ? 'upload' : 'download'} ${filename} to ${datastore} on ${host}`
  },
  lane: ({ image }, desired) => ({ name: `download:${imageOf(desired, image).host}`, limit: 2 }),
  changes: true,
  disruptive: false,
  async done({ image }, world, context) {
    return isThere(imageOf(context.desired, image), world, context)
  },
  async run({ image }, world, context) {
    const wanted = imageOf(context.desired, image)
    switch (wanted.origin.kind) {
      case 'factory':
        return downloadImage(wanted, wanted.origin, world, context)
      case 'file':
        return uploadFile(wanted, wanted.origin.path, world, context)
      case 'there':
        throw new PlanRefused(`${volidOf(wanted)} is not on ${wanted.host}.`, {
          where: 'talos.iso',
          fix: 'Upload it there, or leave talos.iso out: ichor then fetches one from the Image Factory.',
        })
    }
  },
  inputs: ({ image }, desired) => ({ known: () => ({ origin: imageOf(desired, image).origin }) }),
  effect: ({ image }, model, desired) => {
    const wanted = imageOf(desired, image)
    const { host, datastore: storage, content } = wanted
    const volume = { volid: volidOf(wanted), content, format: content === 'iso' ? 'iso' : 'qcow2', size: 0 }
    model.change(({ proxmox }) => ({
      proxmox: { ...proxmox, contents: withVolume(proxmox.contents, { host, storage, content }, volume) },
    }))
  },
})

async function downloadImage(
  wanted: DesiredImage,
  origin: FactoryOrigin,
  world: World,
  context: StepContext,
): Promise<void> {
  const { url, checksum, schematic, talosVersion } = origin
  if (schematic !== undefined) await registerSchematic({ schematic, talosVersion }, world, context)
  if (await adoptRunningDownload(wanted, world, context)) return
  await removeLeftover(wanted, world, context)
  context.assertLease()
  const { host, datastore, content, filename } = wanted
  try {
    const download = { url, content, filename, ...(checksum === undefined ? {} : { checksum }) }
    const task = await world.proxmox.images.download(host, datastore, download, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  } catch (thrown) {
    if (!isProxmoxError(thrown, 'download')) throw thrown
    context.note(`${host} cannot download it, so it is downloaded here and uploaded (${thrown.reason})`)
    await uploadFromFactory(wanted, origin, world, context)
  }
}

/** The hosts may not reach the factory while this computer does. */
async function uploadFromFactory(
  wanted: DesiredImage,
  origin: FactoryOrigin,
  world: World,
  context: StepContext,
): Promise<void> {
  await inTemporaryFolder('ichor-image-', async (folder) => {
    const path = join(folder, wanted.filename)
    const fetched = await fetchFromFactory(world.factory, origin, path, context.signal)
    await upload(wanted, { ...fetched, open: () => createReadStream(path) }, world, context)
  })
}

async function uploadFile(wanted: DesiredImage, path: string, world: World, context: StepContext): Promise<void> {
  const hash = createHash('sha256')
  let byteLength = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    byteLength += chunk.length
  }
  const file = { byteLength, sha256: hash.digest('hex'), open: () => createReadStream(path) }
  await upload(wanted, file, world, context)
}

async function upload(
  { host, datastore, content, filename }: DesiredImage,
  file: FileToUpload,
  world: World,
  context: StepContext,
): Promise<void> {
  context.assertLease()
  const task = await world.proxmox.images.upload(host, datastore, content, filename, file, context.signal)
  await world.proxmox.tasks.wait(task, context.signal)
}

/** Complete if its size matches the factory's: an interrupted download is listed under its final name. */
async function isThere(image: DesiredImage, world: World, { signal }: StepContext): Promise<boolean> {
  const volumes = await world.proxmox.storage.content(image.host, image.datastore, image.content, signal)
  const volume = volumes.find(({ volid }) => volid === volidOf(image))
  if (volume === undefined) return false
  if (image.origin.kind === 'there') return true
  if (await runningDownload(image, world, signal)) return false
  const size =
    image.origin.kind === 'file'
      ? (await stat(image.origin.path)).size
      : await world.factory.size(image.origin.url, signal)
  return volume.size === size
}

async function runningDownload(image: DesiredImage, world: World, signal: AbortSignal) {
  const running = await world.proxmox.tasks.running(image.host, signal)
  return running.find(({ type, id }) => type === 'download' && decodeURIComponent(id) === image.filename)
}

/** A download that was started before a kill continues in Proxmox: wait for it. */
async function adoptRunningDownload(image: DesiredImage, world: World, context: StepContext): Promise<boolean> {
  const task = await runningDownload(image, world, context.signal)
  if (task === undefined) return false
  context.note('waiting for the download that is already running')
  await world.proxmox.tasks.wait(task, context.signal)
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
