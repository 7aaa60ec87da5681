import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { DesiredImage, FactoryOrigin } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { imageOf, volidOf } from '../machine/desired-parts.js'
import { withVolume } from '../machine/storage-contents.js'
import { taskProgress } from '../machine/task-progress.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

/** A Talos image onto a storage, fetched by the Proxmox host itself. */
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
        return uploadImage(wanted, wanted.origin.path, world, context)
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
  if (origin.schematic !== undefined) {
    await refuseUnknownExtensions(origin, world, context)
    await world.factory.register(origin.schematic, context.signal)
  }
  if (await adoptRunningDownload(wanted, world, context)) return
  await removeLeftover(wanted, world, context)
  context.assertLease()
  const { url, checksum } = origin
  const { host, datastore, content, filename } = wanted
  const task = await world.proxmox.images.download(
    host,
    datastore,
    { url, content, filename, ...(checksum === undefined ? {} : { checksum }) },
    context.signal,
  )
  await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
}

async function uploadImage(
  { host, datastore, content, filename }: DesiredImage,
  path: string,
  world: World,
  context: StepContext,
): Promise<void> {
  const bytes = await readFile(path)
  context.assertLease()
  const task = await world.proxmox.images.upload(host, datastore, content, filename, bytes, context.signal)
  await world.proxmox.tasks.wait(task, context.signal)
}

/** A factory takes any schematic and fails when it builds: a wrong name is reported before. One that lists nothing is not asked. */
async function refuseUnknownExtensions(
  { schematic, talosVersion }: FactoryOrigin,
  { factory }: World,
  { signal }: StepContext,
): Promise<void> {
  const wanted = schematic?.customization.systemExtensions?.officialExtensions ?? []
  const known = wanted.length === 0 ? [] : await factory.extensions(talosVersion, signal).catch(() => [])
  const unknown = known.length === 0 ? [] : wanted.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new PlanRefused(`There is no extension ${unknown.join(', ')} for Talos ${talosVersion}.`, {
    where: 'talos.extensions',
    fix: `Check the spelling. This factory knows ${known.length} of them, such as ${known.slice(0, 3).join(', ')}.`,
  })
}

/** Complete when its size is the one that the factory reports: a download that was cut off is listed under its final name. */
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
