import { mostCommon, onlyOne } from './agreed.js'
import type { Described } from './settings.js'

/** Static if every address is set by a config or by cloud-init; else new machines use DHCP like these. */
export function networkSettings(machines: readonly Described[]): Readonly<Record<string, unknown>> {
  const cidrs = machines.map(findCidr)
  const networks = new Set(cidrs.map((cidr) => cidr && networkOf(cidr)))
  const [cidr] = networks
  const isStatic = networks.size === 1 && cidr !== undefined
  const gateway = mostCommon(machines.map(({ facts, shape }) => facts.network.gateway ?? shape.cloudInit?.gateway))
  const vips = [...new Set(machines.flatMap(({ facts }) => facts.network.vips))]
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane')
  return {
    mode: isStatic ? 'static' : 'dhcp',
    ...(isStatic ? { cidr, gateway } : {}),
    vip: vips.length === 1 ? vips[0] : undefined,
    agent: mostCommon(machines.map(({ shape }) => shape.hasAgent)),
    pod_cidr: onlyOne(controlPlanes.map(({ facts }) => facts.podSubnets.find(isV4))),
    svc_cidr: onlyOne(controlPlanes.map(({ facts }) => facts.serviceSubnets.find(isV4))),
  }
}

/** The address of the machine with its prefix. */
function findCidr({ address, facts, shape }: Described): string | undefined {
  const all = [...facts.network.addresses, ...(shape.cloudInit === undefined ? [] : [shape.cloudInit.address])]
  return all.find((cidr) => cidr.startsWith(`${address}/`) && isV4(cidr))
}

function isV4(cidr: string): boolean {
  return cidr.includes('.')
}

function networkOf(cidr: string): string {
  const [address = '', prefix = '32'] = cidr.split('/')
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const size = 2 ** (32 - Number(prefix))
  const first = Math.floor(number / size) * size
  return `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${prefix}`
}
