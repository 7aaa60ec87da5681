import { parseBoot } from '../proxmox/model/options/boot.js'
import { type Disk, parseDisk } from '../proxmox/model/options/disk.js'
import { parseAgent, parseCpu, parseStartup } from '../proxmox/model/options/hardware.js'
import { parseNet } from '../proxmox/model/options/net.js'
import { parseTags } from '../proxmox/model/options/tags.js'
import { type PropertyString, parsePropertyString } from '../proxmox/model/property-string.js'
import { attribute, block, quoted } from './hcl.js'
import { publicMode, type RenderedFile } from './render-input.js'

/** A VM as Terraform is to import it. */
export interface ImportedVm {
  readonly name: string
  readonly vmid: number
  readonly host: string
  readonly options: Readonly<Record<string, string>>
  /** The Proxmox pool in which it is. */
  readonly pool?: string | undefined
}

/** Import blocks and resources for the providers bpg/proxmox and siderolabs/talos: `tofu plan` imports and destroys nothing. */
export function terraformImport(vms: readonly ImportedVm[], contract: string): RenderedFile[] {
  const text = [
    ...['# Written by ichor eject. `tofu plan` shows what is imported; nothing is made or destroyed.', ''],
    ...block('terraform', [
      ...block('required_providers', [
        'proxmox = { source = "bpg/proxmox" }',
        'talos   = { source = "siderolabs/talos" }',
      ]),
    ]),
    ...[
      '',
      '# Endpoint and token come from PROXMOX_VE_ENDPOINT and PROXMOX_VE_API_TOKEN.',
      'provider "proxmox" {}',
      '',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Terraform's own
    ...block('import', ['to = talos_machine_secrets.this', 'id = "${path.module}/../secrets.yaml"']),
    '',
    `# Machine configs are for talos_version = ${quoted(contract)}. An import gives the keys another one, which must not change them.`,
    ...block(
      'resource "talos_machine_secrets" "this"',
      block('lifecycle', ['prevent_destroy = true', 'ignore_changes  = all']),
    ),
    ...vms.flatMap((vm) => ['', ...importOf(vm), '', ...resourceOf(vm)]),
  ].join('\n')
  return [{ path: 'terraform-import/main.tf', content: `${text}\n`, mode: publicMode }]
}

const vmType = 'proxmox_virtual_environment_vm'

/** What is no identifier of Terraform gets the VMID, so that it stays unique. */
function nameOf({ name, vmid }: ImportedVm): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : `vm-${name.replaceAll(/[^\w-]/g, '_')}-${vmid}`
}

function importOf(vm: ImportedVm): string[] {
  return block('import', [`to = ${vmType}.${nameOf(vm)}`, ...attribute('id', `${vm.host}/${vm.vmid}`)])
}

/**
 * What a plan would otherwise set again: the provider's import (bpg 0.111) reads no SMBIOS and no TPM state, and no disabled
 * agent or empty drive.
 */
function resourceOf(vm: ImportedVm): string[] {
  const { options, host, vmid } = vm
  const cpu = parseCpu(options.cpu ?? '')
  const number = (key: string) => (options[key] === undefined ? undefined : Number(options[key]))
  const isOn = (key: string, usually: boolean) => (options[key] === undefined ? usually : options[key] === '1')
  const agent = parseAgent(options.agent ?? '')
  const tags = parseTags(options.tags ?? '')
  const boot = parseBoot(options.boot ?? '')
  const { order, up, down } = parseStartup(options.startup ?? '')
  return block(`resource "${vmType}" ${quoted(nameOf(vm))}`, [
    ...attribute('name', options.name ?? vm.name),
    ...attribute('node_name', host),
    ...attribute('vm_id', vmid),
    ...attribute('pool_id', vm.pool),
    ...attribute('description', options.description),
    ...attribute('tags', tags.length === 0 ? undefined : tags.toSorted()),
    ...attribute('bios', options.bios),
    ...attribute('machine', options.machine),
    ...attribute('scsi_hardware', options.scsihw ?? 'lsi'),
    ...attribute('on_boot', isOn('onboot', false)),
    ...attribute('protection', isOn('protection', false) ? true : undefined),
    ...attribute('tablet_device', isOn('tablet', true) ? undefined : false),
    ...attribute('boot_order', boot.length === 0 ? undefined : boot),
    ...block('cpu', [
      ...attribute('cores', number('cores') ?? 1),
      ...attribute('sockets', number('sockets') ?? 1),
      ...attribute('type', cpu.type ?? 'kvm64'),
      ...attribute('flags', cpu.flags),
      ...attribute('numa', isOn('numa', false) ? true : undefined),
      ...attribute('limit', number('cpulimit')),
      ...attribute('units', number('cpuunits')),
      ...attribute('affinity', options.affinity),
    ]),
    ...block('memory', [
      ...attribute('dedicated', number('memory') ?? 512),
      ...attribute('floating', number('balloon')),
    ]),
    ...block(
      'agent',
      agent.enabled !== true
        ? []
        : [
            ...attribute('enabled', agent.enabled),
            ...attribute('trim', agent.trimClonedDisks),
            ...attribute('type', agent.type),
          ],
    ),
    ...efiDisk(options.efidisk0),
    ...slots(options, /^(scsi|virtio|sata|ide)\d+$/).flatMap(([slot, value]) => drive(slot, value, options)),
    ...slots(options, /^net\d+$/).flatMap(([, value]) => networkDevice(value)),
    ...block('operating_system', attribute('type', options.ostype)),
    ...slots(options, /^serial\d+$/).flatMap(([, value]) => block('serial_device', attribute('device', value))),
    ...vga(options.vga),
    ...block('startup', [...attribute('order', order), ...attribute('up_delay', up), ...attribute('down_delay', down)]),
    '',
    ...block('lifecycle', ['prevent_destroy = true']),
  ])
}

function slots(options: ImportedVm['options'], pattern: RegExp): [string, string][] {
  return Object.entries(options)
    .filter(([key]) => pattern.test(key))
    .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
}

function datastoreOf({ volume = '' }: Disk): string {
  return volume.split(':')[0] ?? ''
}

function efiDisk(option: string | undefined): string[] {
  if (option === undefined) return []
  const disk = parseDisk(option)
  return block('efi_disk', [
    ...attribute('datastore_id', datastoreOf(disk)),
    ...attribute('type', disk.efiType),
    ...attribute('pre_enrolled_keys', disk.preEnrolledKeys),
  ])
}

const GiB = 1024 ** 3

function drive(slot: string, option: string, options: ImportedVm['options']): string[] {
  const disk = parseDisk(option)
  if (disk.volume?.includes('cloudinit')) return initialization(slot, disk, options)
  if (disk.media === 'cdrom' && disk.volume === 'none') return []
  if (disk.media === 'cdrom')
    return block('cdrom', [...attribute('interface', slot), ...attribute('file_id', disk.volume)])
  return block('disk', [
    ...attribute('interface', slot),
    ...attribute('datastore_id', datastoreOf(disk)),
    ...attribute('size', disk.size === undefined ? undefined : Math.ceil(disk.size / GiB)),
    ...attribute('file_format', disk.format),
    ...attribute('discard', disk.discard === true ? 'on' : undefined),
    ...attribute('ssd', disk.ssd),
    ...attribute('iothread', disk.ioThread),
    ...attribute('cache', disk.cache),
    ...attribute('aio', disk.aio),
    ...attribute('backup', disk.backup),
    ...attribute('replicate', disk.replicate),
    ...attribute('serial', disk.serial),
    ...attribute('queues', disk.queues),
  ])
}

function initialization(slot: string, disk: Disk, options: ImportedVm['options']): string[] {
  return block('initialization', [
    ...attribute('datastore_id', datastoreOf(disk)),
    ...attribute('interface', slot),
    ...block('dns', [
      ...attribute('domain', options.searchdomain),
      ...attribute('servers', options.nameserver?.split(/[ ,]+/)),
    ]),
    ...slots(options, /^ipconfig\d+$/).flatMap(([, value]) => ipConfig(parsePropertyString(value))),
  ])
}

function ipConfig(fields: PropertyString): string[] {
  return block('ip_config', [
    ...block('ipv4', [...attribute('address', fields.get('ip')), ...attribute('gateway', fields.get('gw'))]),
    ...block('ipv6', [...attribute('address', fields.get('ip6')), ...attribute('gateway', fields.get('gw6'))]),
  ])
}

function networkDevice(option: string): string[] {
  const net = parseNet(option)
  return block('network_device', [
    ...attribute('bridge', net.bridge),
    ...attribute('mac_address', net.mac),
    ...attribute('model', net.model),
    ...attribute('vlan_id', net.vlan),
    ...attribute('firewall', net.firewall),
    ...attribute('mtu', net.mtu),
    ...attribute('queues', net.queues),
    ...attribute('disconnected', net.linkDown),
    ...attribute('trunks', net.trunks),
  ])
}

function vga(option: string | undefined): string[] {
  if (option === undefined) return []
  const fields = parsePropertyString(option)
  return block('vga', attribute('type', fields.get('type') ?? option.split(',')[0]))
}
