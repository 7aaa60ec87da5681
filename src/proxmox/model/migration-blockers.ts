/** What Proxmox reports about a migration, for any target. */
export interface MigrationFacts {
  /** Passed-through devices of the host: `hostpci0`, `usb1`. */
  readonly devices: readonly string[]
  /** Volumes that only this host has. */
  readonly localVolumes: readonly { readonly volid: string; readonly isMedium: boolean }[]
}

/** What keeps a VM on its host, in sentences; empty if it can be moved. */
export function migrationBlockers({ devices, localVolumes }: MigrationFacts, vmid: number): string[] {
  const volids = (which: (volume: MigrationFacts['localVolumes'][number]) => boolean) =>
    localVolumes.filter(which).map(({ volid }) => volid)
  const media = volids(({ isMedium }) => isMedium)
  const foreign = volids(({ volid, isMedium }) => !isMedium && (ownerOf(volid) ?? vmid) !== vmid)
  const clones = volids(({ volid }) => /[:/]base-\d+-/.test(volid))
  return [
    ...(devices.length === 0 ? [] : [`it uses ${devices.join(', ')} of its host`]),
    ...(media.length === 0 ? [] : [`${media.join(', ')}, which only its host has, is in its drive`]),
    ...(foreign.length === 0 ? [] : [`${foreign.join(', ')} is attached and is not its own disk`]),
    ...(clones.length === 0 ? [] : [`${clones.join(', ')} depends on a template that only its host has`]),
  ]
}

/** The VMID in the name of a volume. */
function ownerOf(volid: string): number | undefined {
  const [, vmid] = /(?:^|[:/])vm-(\d+)-[^/]*$/.exec(volid) ?? []
  return vmid === undefined ? undefined : Number(vmid)
}
