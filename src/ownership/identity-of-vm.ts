import type { Identity } from '../cluster/machine.js'
import type { VmConfig } from '../proxmox/client/port.js'
import { parseNet } from '../proxmox/model/options/net.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'

/** What a VM itself says it is: SMBIOS UUID in lower case and MAC of net0 in upper case, as far as it has them. */
export interface SeenIdentity {
  readonly uuid?: string
  readonly mac?: string
}

export function identityOfVm({ options }: Pick<VmConfig, 'options'>): SeenIdentity {
  const uuid = options.smbios1 === undefined ? undefined : parseSmbios(options.smbios1).uuid?.toLowerCase()
  const mac = options.net0 === undefined ? undefined : parseNet(options.net0).mac?.toUpperCase()
  return { ...(uuid === undefined ? {} : { uuid }), ...(mac === undefined ? {} : { mac }) }
}

/** Which part of an identity this VM holds on any of its cards: while somebody does, no other VM is made with it. */
export function heldPart(config: Pick<VmConfig, 'options'>, { uuid, mac }: Pick<Identity, 'uuid' | 'mac'>) {
  if (identityOfVm(config).uuid === uuid.toLowerCase()) return 'uuid'
  const cards = Object.entries(config.options).filter(([key]) => /^net\d+$/.test(key))
  return cards.some(([, net]) => parseNet(net).mac?.toUpperCase() === mac.toUpperCase()) ? 'mac' : undefined
}
