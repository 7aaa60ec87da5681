import type { Desired } from '../../desired/desired.js'
import type { Observed } from '../../observe/observed.js'
import type { Volume } from '../../proxmox/client/port.js'
import { volidOf } from '../../vm/desired-parts.js'

/** An image or template that ichor has put on a storage, and its users. */
export interface StoredImage {
  readonly volid: string
  readonly host: string
  readonly kind: 'image' | 'iso' | 'template'
  /** Bytes; 0 if Proxmox does not report it. */
  readonly size: number
  /**
   * Machine names: wanted ones are created from it; existing ones have it in a drive, are linked clones of it, or could
   * not be read.
   */
  readonly used_by: readonly string[]
}

/** The content of one storage of a host. */
export interface StorageFiles {
  readonly host: string
  readonly isShared: boolean
  readonly volumes: readonly Volume[]
}

/** ichor's names of downloads: version, the start of the schematic, platform and architecture. */
const ours = /[:/]talos-v\d+\.\d+\.\d+(-[\w.]+)?-[0-9a-f]{12}-[\w-]+\.(qcow2|raw|iso)$/

/** All our files: images, ISOs and templates. */
export function storedImages(contents: readonly StorageFiles[], desired: Desired, observed: Observed): StoredImage[] {
  const files = contents.flatMap(({ host, isShared, volumes }) =>
    volumes
      .filter(({ volid }) => ours.test(volid))
      .map(
        ({ volid, content, size }): StoredImage => ({
          volid,
          host,
          kind: content === 'iso' ? 'iso' : 'image',
          size,
          used_by: usersOf(volid, host, isShared, desired, observed),
        }),
      ),
  )
  return [...files, ...templates(desired, observed)]
}

function usersOf(volid: string, host: string, isShared: boolean, desired: Desired, observed: Observed): string[] {
  const keys = new Set(
    desired.images
      .filter((image) => volidOf(image) === volid && (isShared || image.host === host))
      .map(({ key }) => key),
  )
  const wanted = desired.machines.filter(({ image }) => keys.has(image)).map(({ machine }) => machine.name)
  const from = desired.templates.filter(({ image }) => keys.has(image)).map(({ name }) => name)
  const loaded = observed.machines
    .filter((machine) => isShared || machine.host === host)
    .filter(({ options }) => Object.values(options).some((option) => option.split(',')[0] === volid))
    .map(({ name }) => name)
  const unread = unreadVms(observed, (at) => isShared || at === host)
  return [...new Set([...wanted, ...from, ...loaded, ...unread])].sort()
}

/** Their drives could not be read: nothing that they may need counts as unused. */
function unreadVms({ unverified }: Observed, isNear: (host: string) => boolean): string[] {
  return unverified
    .filter(({ because, host }) => (because === 'away' || because === 'unread') && isNear(host))
    .map(({ name, vmid }) => name ?? `VM ${vmid}`)
}

function templates(desired: Desired, observed: Observed): StoredImage[] {
  const { templates: there, machines } = observed
  const unread = unreadVms(observed, () => true)
  return there.map(({ name, host, vmid }): StoredImage => {
    const wanted = desired.machines.filter(({ template }) => template === name).map(({ machine }) => machine.name)
    const clones = machines
      .filter(({ options }) => Object.values(options).some((option) => option.includes(`base-${vmid}-`)))
      .map((machine) => machine.name)
    return {
      volid: `VM ${vmid}`,
      host,
      kind: 'template',
      size: 0,
      used_by: [...new Set([...wanted, ...clones, ...unread])].sort(),
    }
  })
}
