import { oncePer } from '../cluster/lookup.js'
import type { Identity } from '../cluster/machine.js'
import type { VmConfig } from '../proxmox/client/port.js'
import { parseNet } from '../proxmox/model/options/net.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'

/** The identity in a VM's config: SMBIOS UUID in lower case and MAC of net0 in upper case, if present. */
export interface SeenIdentity {
  readonly uuid?: string
  readonly mac?: string
}

export function identityOfVm({ options }: Pick<VmConfig, 'options'>): SeenIdentity {
  const uuid = options.smbios1 === undefined ? undefined : parseSmbios(options.smbios1).uuid?.toLowerCase()
  const mac = options.net0 === undefined ? undefined : parseNet(options.net0).mac?.toUpperCase()
  return { ...(uuid === undefined ? {} : { uuid }), ...(mac === undefined ? {} : { mac }) }
}

/** The machine whose UUID or MAC this VM has, on any NIC: while it exists, no other VM is created with them. */
export function heldMachine<M extends Identified>(
  config: Pick<VmConfig, 'options'>,
  machines: readonly M[],
): M | undefined {
  const held = [identityOfVm(config).uuid, ...macsOf(config)].filter((part) => part !== undefined)
  const places = held.map((part) => placesByPart(machines).get(part))
  const place = places.find((found) => found !== undefined)
  return place === undefined ? undefined : machines[place]
}

interface Identified {
  readonly identity: Pick<Identity, 'uuid' | 'mac'>
}

/** The index of the machine with a UUID or MAC. */
const placesByPart = oncePer(
  (machines: readonly Identified[]) =>
    new Map(
      machines.flatMap(({ identity }, index): [string, number][] => [
        [identity.uuid.toLowerCase(), index],
        [identity.mac.toUpperCase(), index],
      ]),
    ),
)

function macsOf({ options }: Pick<VmConfig, 'options'>): (string | undefined)[] {
  const cards = Object.entries(options).filter(([key]) => /^net\d+$/.test(key))
  return cards.map(([, net]) => parseNet(net).mac?.toUpperCase())
}
