import { type ConfigObject, section } from '../config-value.js'
import type { IngressFirewall, TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** The node's ingress firewall. */
export function firewallDocuments({ ingressFirewall }: TalosMachine): ConfigObject[] {
  if (ingressFirewall === undefined) return []
  return [
    newDocument('NetworkDefaultActionConfig', { ingress: ingressFirewall.defaultAction }),
    ...ingressFirewall.rules.map(ruleDocument),
  ]
}

function ruleDocument({ name, protocol, ports, from }: IngressFirewall['rules'][number]): ConfigObject {
  return newDocument('NetworkRuleConfig', {
    name,
    portSelector: { ports, protocol },
    ingress: from.map(({ subnet, except }) => section({ subnet, except })),
  })
}
