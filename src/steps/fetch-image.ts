import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { DesiredImage, FactoryOrigin } from '../desired/desired.js'
import { missingMedium } from '../findings/refusals/inventory.js'
import { registerSchematic } from '../node/register-schematic.js'
import type { FileToUpload } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { fetchImage as fetchFromFactory } from '../talos/image/fetch-image.js'
import { inTemporaryFolder } from '../temporary-folder.js'
import { imageOf, volidOf } from '../vm/desired-parts.js'
import { withVolume } from '../vm/storage-contents.js'
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
  async done({ image }, context) {
    return isThere(imageOf(context.desired, image), context)
  },
  async run({ image }, context) {
    const wanted = imageOf(context.desired, image)
    switch (wanted.origin.kind) {
      case 'factory':
        return downloadImage(wanted, wanted.origin, context)
      case 'file':
        return uploadFile(wanted, wanted.origin.path, context)
      case 'there':
        throw missingMedium.refuse(`${volidOf(wanted)} is not on ${wanted.host}.`, {
          subject: { kind: 'inventory', name: 'talos.iso' },
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

async function downloadImage(wanted: DesiredImage, origin: FactoryOrigin, context: StepContext): Promise<void> {
  const { url, checksum, schematic, talosVersion } = origin
  if (schematic !== undefined) await registerSchematic({ schematic, talosVersion }, context)
  if (await adoptRunningDownload(wanted, context)) return
  await removeLeftover(wanted, context)
  context.assertLease()
  const { host, datastore, content, filename } = wanted
  try {
    const download = { url, content, filename, ...(checksum === undefined ? {} : { checksum }) }
    const task = await context.proxmox.images.download(host, datastore, download, context.signal)
    await context.proxmox.tasks.wait(task, context.signal)
  } catch (thrown) {
    if (!isProxmoxError(thrown, 'download')) throw thrown
    context.note(`${host} cannot download it, so it is downloaded here and uploaded (${thrown.reason})`)
    await uploadFromFactory(wanted, origin, context)
  }
}

/** The hosts may not reach the factory while this computer does. */
async function uploadFromFactory(wanted: DesiredImage, origin: FactoryOrigin, context: StepContext): Promise<void> {
  await inTemporaryFolder('image', async (folder) => {
    const path = join(folder, wanted.filename)
    const fetched = await fetchFromFactory(context.factory, origin, path, context.signal)
    await upload(wanted, { ...fetched, open: () => createReadStream(path) }, context)
  })
}

async function uploadFile(wanted: DesiredImage, path: string, context: StepContext): Promise<void> {
  const hash = createHash('sha256')
  let byteLength = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    byteLength += chunk.length
  }
  const file = { byteLength, sha256: hash.digest('hex'), open: () => createReadStream(path) }
  await upload(wanted, file, context)
}

async function upload(
  { host, datastore, content, filename }: DesiredImage,
  file: FileToUpload,
  context: StepContext,
): Promise<void> {
  context.assertLease()
  const task = await context.proxmox.images.upload(host, datastore, content, filename, file, context.signal)
  await context.proxmox.tasks.wait(task, context.signal)
}

/** Complete if its size matches the factory's: an interrupted download is listed under its final name. */
async function isThere(image: DesiredImage, context: StepContext): Promise<boolean> {
  const { proxmox, factory, signal } = context
  const volumes = await proxmox.storage.content(image.host, image.datastore, image.content, signal)
  const volume = volumes.find(({ volid }) => volid === volidOf(image))
  if (volume === undefined) return false
  if (image.origin.kind === 'there') return true
  if (await runningDownload(image, context)) return false
  const size =
    image.origin.kind === 'file' ? (await stat(image.origin.path)).size : await factory.size(image.origin.url, signal)
  return volume.size === size
}

async function runningDownload(image: DesiredImage, { proxmox, signal }: StepContext) {
  const running = await proxmox.tasks.running(image.host, signal)
  return running.find(({ type, id }) => type === 'download' && decodeURIComponent(id) === image.filename)
}

/** A download that was started before a kill continues in Proxmox: wait for it. */
async function adoptRunningDownload(image: DesiredImage, context: StepContext): Promise<boolean> {
  const task = await runningDownload(image, context)
  if (task === undefined) return false
  context.note('waiting for the download that is already running')
  await context.proxmox.tasks.wait(task, context.signal)
  return isThere(image, context)
}

async function removeLeftover(image: DesiredImage, context: StepContext): Promise<void> {
  const volumes = await context.proxmox.storage.content(image.host, image.datastore, image.content, context.signal)
  if (!volumes.some(({ volid }) => volid === volidOf(image))) return
  context.note('removing an incomplete download')
  context.assertLease()
  const task = await context.proxmox.storage.removeVolume(image.host, volidOf(image), context.signal)
  if (task !== undefined) await context.proxmox.tasks.wait(task, context.signal)
}
