import { createHmac, hkdfSync } from 'node:crypto'
import type { Machine } from '../cluster/machine.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { writeSmbios } from '../proxmox/model/options/smbios.js'
import type { ClusterSpec } from './cluster-spec.js'

/**
 * If the config is sent over the maintenance API, the VM has a serial number that only the owner of the secrets knows:
 * the node shows it on the connection that then carries the config. UUID and MAC are not secret.
 */
export function smbiosOf({ name, identity }: Machine, { inventory, secrets }: ClusterSpec): VmOptions {
  if (inventory.settings.talos.delivery !== 'apply' || secrets === undefined) return {}
  const { id, secret } = secrets.bundle.cluster
  const key = Buffer.from(hkdfSync('sha256', secret, id, 'ichor serial v1', 32))
  const serial = createHmac('sha256', key).update(name).digest('hex').slice(0, 32)
  return { smbios1: writeSmbios({ uuid: identity.uuid, serial }) }
}
