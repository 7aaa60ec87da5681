import { isRoot } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Call, may, must } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { isCdrom, isDriveKey, newVolumeOf, parseDrive, storageOf } from './drive.js'
import { isNetKey, parseNet } from './net.js'

const privilegeOf: Record<string, string> = {}
const groups: Record<string, string> = {
  'VM.Config.CPU': 'cores cpu cpulimit cpuunits numa smp sockets vcpus',
  'VM.Config.Memory': 'memory balloon shares allow-ksm',
  'VM.Config.HWType': 'acpi hotplug kvm machine scsihw smbios1 tablet vga watchdog audio0 rng0',
  'VM.Config.Options':
    'agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype protection reboot startdate startup tdf template tags',
  'VM.Config.Disk': 'boot bootdisk vmstatestorage',
  'VM.PowerMgmt': 'freeze',
}
for (const [privilege, options] of Object.entries(groups))
  for (const option of options.split(' ')) privilegeOf[option] = privilege

const cloudInit = /^(ciuser|cipassword|citype|ciupgrade|cicustom|nameserver|searchdomain|sshkeys|ipconfig\d+)$/
const rootOnly =
  /^(args|affinity|arch|hugepages|keephugepages|hookscript|ivshmem|lock|vmgenid|spice_enhancements|amd-sev|intel-tdx|parallel\d+)$/

/** The right for each option of a VM. `where` is the path that is checked: the VM, or its pool at creation. */
export function refuseForbiddenOptions(
  call: Call,
  vmid: number,
  options: Readonly<Record<string, string>>,
  pool: string | undefined,
): void {
  if (isRoot(call.identity)) return
  for (const [key, value] of Object.entries(options)) refuseOption(call, vmid, key, value, pool)
}

type Needs = (privileges: readonly string[], any?: boolean) => void

function refuseOption(call: Call, vmid: number, key: string, value: string, pool: string | undefined): void {
  const needs: Needs = (privileges, any = false) => {
    if (pool !== undefined && may(call, `/pool/${pool}`, privileges, any)) return
    must(call, `/vms/${vmid}`, privileges, any)
  }
  if (rootOnly.test(key)) throw died(`only root can set '${key}' config`)
  if (/^serial\d+$/.test(key)) refuseSerial(needs, key, value)
  else if (/^numa\d+$/.test(key)) needs(['VM.Config.CPU'])
  else if (/^usb\d+$/.test(key)) refuseDevice(call, needs, key, value, 'usb', 'real')
  else if (/^hostpci\d+$/.test(key)) refuseDevice(call, needs, key, value, 'pci', 'non-mapped')
  else if (cloudInit.test(key)) needs(['VM.Config.Cloudinit', 'VM.Config.Network'], true)
  else if (isNetKey(key)) {
    needs(['VM.Config.Network'])
    refuseBridge(call, value)
  } else refusePlain(call, needs, key)
}

function refusePlain(call: Call, needs: Needs, key: string): void {
  const privilege = privilegeOf[key]
  if (privilege !== undefined) needs([privilege])
  if (key === 'startup') must(call, '/', ['Sys.Modify'])
}

function refuseSerial(needs: Needs, key: string, value: string): void {
  if (value !== 'socket') throw died(`only root can modify '${key}' config for real devices`)
  needs(['VM.Config.HWType'])
}

function refuseDevice(call: Call, needs: Needs, key: string, value: string, type: string, kind: string): void {
  const mapping = /mapping=([^,]+)/.exec(value)?.[1]
  const isSpice = type === 'usb' && /^(host=)?spice/.test(value)
  if (mapping === undefined && !isSpice) throw died(`only root can set '${key}' config for ${kind} devices`)
  needs(['VM.Config.HWType'])
  if (mapping !== undefined) must(call, `/mapping/${type}/${mapping}`, ['Mapping.Use'])
}

export function refuseBridge(call: Call, value: string): void {
  const { bridge, tag } = parseNet(call.datacenter.pve, value)
  if (bridge === undefined && call.datacenter.pve === 9) return
  if (bridge === undefined) throw died('no sdn vnet ID specified')
  const base = `/sdn/zones/localnetwork/${bridge}`
  if (tag !== undefined && may(call, `${base}/${tag}`, ['SDN.Use'])) return
  must(call, tag === undefined ? base : `${base}/${tag}`, ['SDN.Use'])
}

/** The storages that the drives need, and for updates the right to change drives. */
export function refuseForbiddenDrives(
  call: Call,
  vmid: number,
  options: Readonly<Record<string, string>>,
  isUpdate: boolean,
): void {
  for (const [key, value] of Object.entries(options)) {
    if (!isDriveKey(key)) continue
    const drive = parseDrive(call.datacenter.pve, key, value)
    refuseStorage(
      call,
      drive.file,
      newVolumeOf(drive)?.storage ?? (drive.file.endsWith(':cloudinit') ? storageOf(drive.file) : undefined),
    )
    const source = drive.options['import-from']
    if (source !== undefined) refuseSource(call, source)
    if (!isUpdate || isRoot(call.identity)) continue
    if (drive.file.endsWith(':cloudinit')) must(call, `/vms/${vmid}`, ['VM.Config.Cloudinit', 'VM.Config.CDROM'])
    else must(call, `/vms/${vmid}`, [isCdrom(drive) ? 'VM.Config.CDROM' : 'VM.Config.Disk'])
  }
}

function refuseStorage(call: Call, file: string, fresh: string | undefined): void {
  const { datacenter } = call
  if (/^(none|cdrom)$/.test(file)) return
  if (file.startsWith('/')) {
    if (!isRoot(call.identity))
      throw died('Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 581.')
    return
  }
  const id = storageOf(file) ?? ''
  if (fresh !== undefined) {
    must(call, `/storage/${fresh}`, ['Datastore.AllocateSpace'])
    const storage = datacenter.state.storages[fresh]
    if (storage === undefined) throw died(`storage '${fresh}' does not exist`)
    if (!splitList(storage.options.content ?? 'images,rootdir').includes('images'))
      throw badParameters({ storage: `storage '${fresh}' does not support vm images` })
    return
  }
  if (datacenter.state.storages[id] === undefined) throw died(`storage '${id}' does not exist`)
  refuseVolumeName(call, id, file)
  must(call, `/storage/${id}`, ['Datastore.AllocateSpace', 'Datastore.Audit', 'Datastore.Allocate'], true)
}

const volumeName = /^((\d+)\/\S+|(iso|vztmpl|backup|import|snippets|rootdir)\/\S+|(vm|base|subvol)-\d+-\S+)$/

function refuseVolumeName({ datacenter }: Call, id: string, file: string): void {
  const name = file.slice(id.length + 1)
  if (volumeName.test(name)) return
  const kind =
    { lvmthin: 'lvm', lvm: 'lvm', zfspool: 'zfs', rbd: 'rbd' }[datacenter.state.storages[id]?.type ?? ''] ?? 'directory'
  throw died(`unable to parse ${kind} volume name '${name}'`)
}

function refuseSource(call: Call, source: string): void {
  if (source.startsWith('/'))
    throw died('Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 581.')
  const id = storageOf(source) ?? ''
  if (call.datacenter.state.storages[id] === undefined) throw died(`storage '${id}' does not exist`)
  const kind = /^[^:]+:(iso|vztmpl|backup|snippets)\//.exec(source)?.[1]
  if (kind !== undefined)
    throw badParameters({ 'import-from': `${source} has wrong type '${kind}' - needs to be 'images' or 'import'` })
  const owner = /(?:^|\/|:)(?:vm|base)-(\d+)-/.exec(source)?.[1]
  if (owner !== undefined && !isRoot(call.identity)) must(call, `/vms/${owner}`, ['VM.Clone'])
  else must(call, `/storage/${id}`, ['Datastore.AllocateSpace', 'Datastore.Audit', 'Datastore.Allocate'], true)
}
