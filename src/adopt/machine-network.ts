import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../talos/config/config-value.js'
import { kindOf } from '../talos/config/read-config.js'

/** The addresses that a machine config sets. */
export interface MachineNetwork {
  /** With prefix. */
  readonly addresses: readonly string[]
  /** Of the default route. */
  readonly gateway?: string
  readonly vips: readonly string[]
}

/** From `machine.network` or the documents for links, whatever the name of the link. */
export function networkIn(documents: readonly ConfigObject[]): MachineNetwork {
  const main = documents.find((document) => kindOf(document) === 'v1alpha1')
  const classic = objectsIn(at(at(at(main, 'machine'), 'network'), 'interfaces'))
  const links = documents.filter((document) => /^(Link|VLAN|Bond|Bridge)Config$/.test(kindOf(document)))
  const routes = [...classic, ...links].flatMap((link) => objectsIn(link.routes))
  const gateway = routes.find((route) =>
    route.network === undefined && route.destination === undefined ? true : isDefault(route),
  )?.gateway
  const vips = [
    ...classic.map((link) => at(link.vip, 'ip')),
    ...documents.filter((document) => kindOf(document) === 'Layer2VIPConfig').map(({ name }) => name),
  ]
  return {
    addresses: [
      ...classic.flatMap((link) => textsIn(link.addresses)),
      ...links.flatMap((link) => objectsIn(link.addresses).map(({ address }) => address)),
    ].filter((address): address is string => typeof address === 'string' && isCidr(address)),
    ...(typeof gateway === 'string' ? { gateway } : {}),
    vips: vips.filter((vip): vip is string => typeof vip === 'string'),
  }
}

export function isCidr(text: string): boolean {
  return /^[0-9a-fA-F.:]+\/\d{1,3}$/.test(text)
}

function isDefault({ network, destination }: ConfigObject): boolean {
  return [network, destination].some((to) => to === '0.0.0.0/0')
}

function at(value: ConfigValue | undefined, key: string): ConfigValue | undefined {
  return isConfigObject(value) ? value[key] : undefined
}

function objectsIn(value: ConfigValue | undefined): ConfigObject[] {
  return isConfigList(value) ? value.filter(isConfigObject) : []
}

function textsIn(value: ConfigValue | undefined): ConfigValue[] {
  return isConfigList(value) ? [...value] : []
}
