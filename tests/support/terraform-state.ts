import type { SecretsBundle } from '../../src/secrets/bundle.js'

/** An instance of a resource in a state. */
export interface StateEntry {
  readonly module?: string
  readonly mode?: 'managed' | 'data'
  readonly type: string
  readonly name?: string
  readonly index?: string | number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Version 4, as `tofu state pull` prints it. */
export function stateText(entries: readonly StateEntry[]): string {
  const resources = entries.map(({ module, mode = 'managed', type, name = 'this', index, attributes }) => ({
    ...(module === undefined ? {} : { module }),
    mode,
    type,
    name,
    provider: 'provider["registry.opentofu.org/any/any"]',
    instances: [{ ...(index === undefined ? {} : { index_key: index }), schema_version: 0, attributes }],
  }))
  return JSON.stringify({ version: 4, terraform_version: '1.12.6', serial: 7, lineage: 'x', outputs: {}, resources })
}

/** As bpg/proxmox writes it, with what is read of it. */
export function aVm(
  of: Omit<StateEntry, 'type' | 'attributes'> & { vmid: number; host: string; mac: string },
): StateEntry {
  const { vmid, host, mac, ...entry } = of
  const attributes = {
    id: String(vmid),
    vm_id: vmid,
    node_name: host,
    mac_addresses: ['', mac],
    network_device: [{ bridge: 'vmbr0', mac_address: mac }],
  }
  return { ...entry, type: 'proxmox_virtual_environment_vm', attributes }
}

export function aTalosMachine(
  of: Omit<StateEntry, 'type' | 'attributes'> & { node: string; config: string },
): StateEntry {
  const { node, config, ...entry } = of
  const attributes = { id: 'machine_configuration_apply', node, endpoint: node, machine_configuration: config }
  return { ...entry, type: 'talos_machine_configuration_apply', attributes }
}

export function talosSecrets({ certs, cluster, secrets, trustdinfo }: SecretsBundle): StateEntry {
  const pair = ({ crt, key }: { crt: string; key: string }) => ({ cert: crt, key })
  const machineSecrets = {
    certs: {
      etcd: pair(certs.etcd),
      k8s: pair(certs.k8s),
      k8s_aggregator: pair(certs.k8saggregator),
      k8s_serviceaccount: certs.k8sserviceaccount,
      os: pair(certs.os),
    },
    cluster,
    secrets: {
      aescbc_encryption_secret: secrets.aescbcencryptionsecret ?? null,
      bootstrap_token: secrets.bootstraptoken,
      secretbox_encryption_secret: secrets.secretboxencryptionsecret ?? null,
    },
    trustdinfo,
  }
  return { type: 'talos_machine_secrets', attributes: { id: 'machine_secrets', machine_secrets: machineSecrets } }
}
