import { basename } from 'node:path'
import type { Machine } from '../cluster/machine.js'
import { imageName, type PinnedDigests } from '../cluster/pinned-digests.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import type { Settings } from '../inventory/schema.js'
import { imageUrl, installerImage } from '../talos/image/image-url.js'
import { type Schematic, schematicFor, schematicId } from '../talos/image/schematic.js'
import type { Datastores } from './datastores.js'
import type { DesiredImage, DesiredInstaller, FactoryOrigin } from './desired.js'

/** The boot image of a machine: the schematic with its extensions, on a storage of its host. */
export function imageFor(machine: Machine, host: string, inventory: Inventory, datastores: Datastores): DesiredImage {
  const { talos, proxmox, talos_version } = inventory.settings
  if (talos.iso !== undefined) return presentIso(talos.iso, host, datastores)
  const content = talos.boot === 'iso' ? 'iso' : 'import'
  const datastore = datastores.on(host, content, proxmox.image_datastore)
  const isShared = datastores.isShared(datastore)
  const { schematic, id } = schematicOf(machine, talos)
  const format = talos.boot === 'iso' ? 'iso' : 'qcow2'
  const filename =
    talos.image_file === undefined
      ? `talos-${talos_version}-${id.slice(0, 12)}-${talos.platform}-${talos.arch}${talos.secure_boot ? '-secureboot' : ''}.${format}`
      : basename(talos.image_file).replace(/[^A-Za-z0-9_.-]/g, '_')
  return {
    key: `${isShared ? datastore : `${host}/${datastore}`}/${filename}`,
    host,
    datastore,
    isShared,
    content,
    filename,
    schematicId: id,
    origin:
      talos.image_file === undefined
        ? {
            kind: 'factory',
            url: imageUrl({ ...choiceOf(inventory.settings, id), format }),
            talosVersion: talos_version,
            ...(schematic === undefined ? {} : { schematic }),
            ...checksumOf(talos.image_checksum),
          }
        : { kind: 'file', path: resolveFile(inventory.folder, talos.image_file) },
  }
}

/** A checksum in the inventory takes precedence: it was written by hand. */
export function withLockedChecksum(image: DesiredImage, locked: PinnedDigests | undefined): DesiredImage {
  const { origin } = image
  if (origin.kind !== 'factory' || origin.checksum !== undefined) return image
  const value = locked?.images[imageName(origin.url)]
  return value === undefined ? image : { ...image, origin: { ...origin, checksum: { algorithm: 'sha256', value } } }
}

/** Addons may need extensions that are not listed; a ready schematic is used as it is. */
export function withExtensions(machine: Machine, extensions: readonly string[], { talos }: Settings): Machine {
  if (extensions.length === 0 || talos.schematic !== undefined) return machine
  return { ...machine, extensions: [...new Set([...machine.extensions, ...extensions])].sort() }
}

/** The boot images and installers that these machines need from a factory, each once. */
export function factoryArtifacts(machines: readonly Machine[], settings: Settings): FactoryArtifacts[] {
  const { talos } = settings
  if (talos.iso !== undefined || talos.image_file !== undefined) return []
  const format = talos.boot === 'iso' ? 'iso' : 'qcow2'
  const bits = machines.map((machine) => {
    const { id, schematic } = schematicOf(machine, talos)
    const choice = choiceOf(settings, id)
    return { url: imageUrl({ ...choice, format }), installer: installerImage(choice), schematic }
  })
  return [...new Map(bits.map((one) => [one.url, one])).values()]
}

export interface FactoryArtifacts {
  readonly url: string
  readonly installer: string
  /** Registered before the image can be downloaded. */
  readonly schematic: Schematic | undefined
}

/** An ISO that the user provides: it is neither downloaded nor removed. */
function presentIso(volid: string, host: string, datastores: Datastores): DesiredImage {
  const [datastore = '', path = ''] = volid.split(':')
  const filename = path.split('/').at(-1) ?? path
  return {
    key: `${host}/${volid}`,
    host,
    datastore,
    isShared: datastores.isShared(datastore),
    content: 'iso',
    filename,
    schematicId: '',
    origin: { kind: 'there' },
  }
}

/** The installer image of this machine, also for upgrades. */
export function installerFor(machine: Machine, settings: Settings): DesiredInstaller {
  const { id, schematic } = installedSchematic(machine, settings.talos)
  const talosVersion = machine.adopted?.runs?.talos ?? settings.talos_version
  return {
    image: installerImage({ ...choiceOf(settings, id), talosVersion }),
    version: talosVersion,
    id,
    isCompared: settings.talos.image_file === undefined,
    ...(schematic === undefined ? {} : { schematic }),
  }
}

/** An adopted machine may run another one until it is upgraded. */
function installedSchematic(machine: Machine, talos: Settings['talos']): { schematic?: Schematic; id: string } {
  const id = machine.adopted?.runs?.schematic
  return id === undefined ? schematicOf(machine, talos) : { id }
}

function choiceOf({ talos, talos_version }: Settings, schematic: string) {
  return {
    factoryUrl: talos.factory_url,
    schematic,
    talosVersion: talos_version,
    platform: talos.platform,
    arch: talos.arch,
    secureBoot: talos.secure_boot,
  }
}

function schematicOf({ extensions }: Machine, talos: Settings['talos']): { schematic?: Schematic; id: string } {
  if (talos.schematic !== undefined) return { id: talos.schematic }
  const schematic = schematicFor({
    extensions,
    kernelArgs: talos.kernel_args,
    meta: talos.meta,
    ...(talos.overlay === undefined ? {} : { overlay: overlayOf(talos.overlay) }),
  })
  return { schematic, id: schematicId(schematic) }
}

function overlayOf({
  image,
  name,
  options,
}: NonNullable<Settings['talos']['overlay']>): NonNullable<Schematic['overlay']> {
  return { image, name, ...(options === undefined ? {} : { options }) }
}

function checksumOf(text: string | undefined): Pick<FactoryOrigin, 'checksum'> | Record<string, never> {
  const [algorithm, value] = text?.split(':') ?? []
  if (value === undefined || (algorithm !== 'sha256' && algorithm !== 'sha512')) return {}
  return { checksum: { algorithm, value } }
}
