import type { Machine } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Settings } from '../inventory/schema.js'
import type { Observed } from '../observe/observed.js'
import { imageUrl, installerImage } from '../talos/image/image-url.js'
import { type Schematic, schematicFor, schematicId } from '../talos/image/schematic.js'
import { datastoreOn } from './datastores.js'
import type { DesiredImage } from './desired.js'

/** What a machine boots: the schematic of its extensions, on a storage of its host. */
export function imageFor(machine: Machine, host: string, inventory: Inventory, observed: Observed): DesiredImage {
  const { talos, proxmox, talos_version } = inventory.settings
  const content = talos.boot === 'iso' ? 'iso' : 'import'
  const datastore = datastoreOn(host, content, proxmox.image_datastore, inventory, observed)
  const isShared = observed.proxmox.storages.some(({ storage, shared }) => storage === datastore && shared)
  const { schematic, id } = schematicOf(machine, talos)
  const format = talos.boot === 'iso' ? 'iso' : 'qcow2'
  const filename = `talos-${talos_version}-${id.slice(0, 12)}-${talos.platform}-${talos.arch}${talos.secure_boot ? '-secureboot' : ''}.${format}`
  return {
    key: `${isShared ? datastore : `${host}/${datastore}`}/${filename}`,
    host,
    datastore,
    isShared,
    content,
    filename,
    url: imageUrl({ ...choiceOf(inventory.settings, id), format }),
    ...(schematic === undefined ? {} : { schematic }),
    schematicId: id,
    ...checksumOf(talos.image_checksum),
  }
}

/** The image that installs or upgrades this machine. */
export function installerFor(machine: Machine, settings: Settings): string {
  return installerImage(choiceOf(settings, schematicOf(machine, settings.talos).id))
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

function checksumOf(text: string | undefined): Pick<DesiredImage, 'checksum'> | Record<string, never> {
  const [algorithm, value] = text?.split(':') ?? []
  if (value === undefined || (algorithm !== 'sha256' && algorithm !== 'sha512')) return {}
  return { checksum: { algorithm, value } }
}
