import { FileError } from '../../errors.js'
import { parseState, resourcesIn, type StateResource } from '../../secrets/import/terraform-state.js'

/** A cluster in a Terraform or OpenTofu state. */
export interface TerraformState {
  readonly vms: readonly StateVm[]
  /** Machine configs as the state has them; hold secrets. */
  readonly configs: readonly StateConfig[]
  /** The text of a talosconfig; holds secrets. */
  readonly talosconfig?: string
  /** Addresses of nodes, control planes first. */
  readonly nodes: readonly string[]
  /** It has a `talos_machine_secrets`. */
  readonly hasSecrets: boolean
  /** Addresses of the managed resources of the Talos provider. */
  readonly talosResources: readonly string[]
}

export interface StateVm {
  /** Of the resource. */
  readonly resource: string
  readonly vmid: number
  readonly host: string
  /** Upper case. */
  readonly macs: readonly string[]
}

export interface StateConfig {
  readonly resource: string
  /** Of the node that has it; absent for a data source. */
  readonly node?: string
  readonly text: string
}

const vmTypes = ['proxmox_virtual_environment_vm', 'proxmox_vm']

/** Of version 4: what `tofu state pull` and `terraform state pull` write. */
export function readTerraformState(text: string, where: string): TerraformState {
  refuseOther(text, where)
  const resources = resourcesIn(text, where)
  const talos = resources.filter(({ type }) => type.startsWith('talos_'))
  const configs = talos.flatMap(configOf)
  const ofControlPlanes = configs.flatMap(({ node, text: config }) =>
    node !== undefined && isControlPlane(config) ? [node] : [],
  )
  const clients = talos.filter(({ type }) => type === 'talos_client_configuration')
  const talosconfig = clients.map(({ attributes }) => textAt(attributes, 'talos_config')).find(isText)
  const nodes = [
    ...ofControlPlanes,
    ...talos.flatMap(({ type, attributes }) =>
      type === 'talos_machine_bootstrap' || type === 'talos_cluster_kubeconfig'
        ? [textAt(attributes, 'node')].filter(isText)
        : [],
    ),
    ...clients.flatMap(({ attributes }) => textsAt(attributes, 'endpoints')),
  ]
  return {
    vms: resources.flatMap(vmOf),
    configs,
    ...(talosconfig === undefined ? {} : { talosconfig }),
    nodes: [...new Set(nodes)],
    hasSecrets: talos.some(({ type }) => type === 'talos_machine_secrets'),
    talosResources: talos.filter(({ isManaged }) => isManaged).map(({ address }) => address),
  }
}

export function isControlPlane(config: string): boolean {
  return /^\s+type: controlplane\s*$/m.test(config)
}

function refuseOther(text: string, where: string): void {
  const state = parseState(text, where)
  const refusal = (what: string) =>
    new FileError(`This state cannot be used: ${what}.`, {
      where,
      fix: 'Give what `tofu state pull` or `terraform state pull` prints.',
    })
  if ('encrypted_data' in state) throw refusal('OpenTofu has encrypted it')
  if ('format_version' in state) throw refusal('it is the output of `show -json`, which is no state')
  if (state.version !== 4) throw refusal('its format is not version 4')
}

function configOf({ type, address, attributes }: StateResource): StateConfig[] {
  const isConfig = /^talos_machine(_configuration(_apply)?)?$/.test(type)
  const text = isConfig ? textAt(attributes, 'machine_configuration') : undefined
  const node = textAt(attributes, 'node')
  return text === undefined ? [] : [{ resource: address, text, ...(node === undefined ? {} : { node }) }]
}

function vmOf({ type, isManaged, address, attributes }: StateResource): StateVm[] {
  const vmid = attributes.vm_id
  if (!isManaged || !vmTypes.includes(type) || typeof vmid !== 'number') return []
  const devices = Array.isArray(attributes.network_device) ? attributes.network_device : []
  const macs = [
    ...textsAt(attributes, 'mac_addresses'),
    ...devices.map((device) => textAt(device, 'mac_address')).filter(isText),
  ].map((mac) => mac.toUpperCase())
  return [{ resource: address, vmid, host: textAt(attributes, 'node_name') ?? '', macs: [...new Set(macs)] }]
}

function textAt(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  const found = Object.entries(value).find(([name]) => name === key)?.[1]
  return typeof found === 'string' && found !== '' ? found : undefined
}

function textsAt(value: Readonly<Record<string, unknown>>, key: string): string[] {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(found) ? found.filter(isText) : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
