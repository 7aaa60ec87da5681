import { type Topology, type TopologyVm, unknownHost, vmKind, vmPlace, vmSize } from './topology.js'

/** The diagram as Mermaid, which most Markdown viewers draw. */
export function diagramMermaid(topology: Topology): string {
  const { endpoint, vip, jump, networks, hosts } = topology
  const vms = hosts.flatMap(({ guests, machines }, host) => [...machines, ...guests].map((vm) => ({ vm, host })))
  const ids = new Map(vms.map(({ vm }, index) => [vm, `vm${index}`]))
  const idOf = (vm: TopologyVm) => ids.get(vm) ?? ''
  const endpointText = endpoint ?? 'Kubernetes API, address by DHCP'
  return [
    'flowchart TB',
    `  api(["${quoted(vip === undefined ? endpointText : `${endpointText}<br/>VIP ${vip}`)}"])`,
    ...(jump === undefined ? [] : [`  jump{{"${quoted(jump)}"}}`, '  jump --> api']),
    ...hosts.flatMap(({ name = unknownHost }, index) => [
      `  subgraph host${index}["${quoted(name)}"]`,
      ...vms.filter(({ host }) => host === index).map(({ vm }) => `    ${idOf(vm)}["${vmLabel(vm)}"]`),
      '  end',
    ]),
    ...vms.flatMap(({ vm }) => (vm.kind === 'controlplane' ? [`  api --> ${idOf(vm)}`] : [])),
    ...vms.flatMap(({ vm }) =>
      vm.devices.map((device, index) => `  ${idOf(vm)} --- ${idOf(vm)}pci${index}[/"PCI ${quoted(device)}"/]`),
    ),
    ...networks.flatMap(({ name, cidr, gateway }, index) => [
      `  net${index}[("${quoted([name, cidr, gateway && `gateway ${gateway}`].filter(Boolean).join('<br/>'))}")]`,
      ...hosts.map((_, host) => `  host${host} --- net${index}`),
    ]),
    ...kinds.flatMap(({ kind, style }) => {
      const members = vms.filter(({ vm }) => vm.kind === kind).map(({ vm }) => idOf(vm))
      return members.length === 0 ? [] : [`  classDef ${kind} ${style}`, `  class ${members.join(',')} ${kind}`]
    }),
    '',
  ].join('\n')
}

const kinds = [
  { kind: 'controlplane', style: 'stroke:#2563eb,stroke-width:2px' },
  { kind: 'worker', style: 'stroke:#059669,stroke-width:2px' },
  { kind: 'guest', style: 'stroke:#6b7280,stroke-dasharray:4' },
] as const

function vmLabel(vm: TopologyVm): string {
  return [vm.name, vmKind(vm), vmPlace(vm), vmSize(vm)].map(quoted).join('<br/>')
}

/** Mermaid uses entities instead of quotes. */
function quoted(text: string): string {
  return text.replaceAll('"', '#quot;')
}
