/** The documents of a config that form the node's firewall. */
const firewallKinds = ['NetworkDefaultActionConfig', 'NetworkRuleConfig']
const ofFirewall = new RegExp(`^kind: *(?:${firewallKinds.join('|')}) *$`, 'm')

/** Whether this is the title of such a document, as used in differences. */
export function isFirewallDocument(title: string): boolean {
  return firewallKinds.some((kind) => title === kind || title.startsWith(`${kind} `))
}

/** The config without a firewall. */
export function withoutRules(config: string): string {
  return joined(documentsOf(config).filter((document) => !ofFirewall.test(document)))
}

/** The config with the firewall of another config. */
export function withRulesOf(config: string, other: string): string {
  const rules = documentsOf(other).filter((document) => ofFirewall.test(document))
  return joined([...documentsOf(config).filter((document) => !ofFirewall.test(document)), ...rules])
}

/** A line of three dashes cannot be part of a document: in a block of text it would be indented. */
function documentsOf(config: string): string[] {
  return config
    .split(/^---(?:[ \t].*)?$\n?/m)
    .filter((document) => document.trim() !== '')
    .map((document) => (document.endsWith('\n') ? document : `${document}\n`))
}

function joined(documents: readonly string[]): string {
  return documents.join('---\n')
}
