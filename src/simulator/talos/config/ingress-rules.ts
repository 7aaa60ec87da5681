import { isMapping } from './documents.js'
import { type ConfigReader, findText, mappingsOf, textOr } from './read-values.js'

/** The ingress firewall of a node. */
export interface IngressRules {
  readonly defaultAction: 'accept' | 'block'
  readonly rules: readonly IngressRule[]
}

interface IngressRule {
  readonly protocol: string
  readonly ports: readonly (readonly [first: number, last: number])[]
  readonly from: readonly { readonly subnet: string; readonly except?: string }[]
}

export function ingressOf(reader: ConfigReader): IngressRules {
  return {
    defaultAction: reader.document('NetworkDefaultActionConfig')?.ingress === 'block' ? 'block' : 'accept',
    rules: reader.documents('NetworkRuleConfig').map(({ body }) => ruleOf(body)),
  }
}

function ruleOf(body: Readonly<Record<string, unknown>>): IngressRule {
  const selector = isMapping(body.portSelector) ? body.portSelector : {}
  const ports = Array.isArray(selector.ports) ? selector.ports : []
  return {
    protocol: textOr(selector.protocol, 'tcp'),
    ports: ports.map((port) => rangeOf(String(port))),
    from: mappingsOf(body.ingress).map((entry) => {
      const except = findText(entry.except)
      return { subnet: textOr(entry.subnet, ''), ...(except === undefined ? {} : { except }) }
    }),
  }
}

function rangeOf(text: string): readonly [number, number] {
  const [first = '0', last = first] = text.split('-')
  return [Number(first), Number(last)]
}
