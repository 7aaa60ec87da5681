import type { Datacenter } from '../datacenter.js'
import { splitList } from '../schema/formats.js'
import type { Section } from '../state.js'
import { onlineNodes } from './nodes.js'
import { type HaService, haStateOf } from './services.js'

/** Whether a service stays if possible, moves to the best host, or to another than the failed one. */
export type Preference = 'stay' | 'best' | 'next'

/** The host for a service by its group or rules; `undefined` if none is allowed. */
export function selectNode(datacenter: Datacenter, service: HaService, preference: Preference): string | undefined {
  const { status } = service
  const priorities = prioritiesOf(datacenter, service)
  const allowed = onlineNodes(datacenter).filter((node) => priorities(node) !== undefined)
  const { together, separate } = neighbours(datacenter, service.sid)
  const mayStay = allowed.includes(status.node) && !separate.has(status.node)
  if (preference === 'stay' && mayStay && !returnsHome(datacenter, service)) return status.node
  const best = Math.max(...allowed.map((node) => priorities(node) ?? 0))
  const preferred = allowed
    .filter((node) => priorities(node) === best)
    .filter((node) => preference !== 'next' || !status.failedNodes.includes(node))
    .filter((node) => !separate.has(node))
  const candidates = nearest(preferred, together)
  if (preference === 'stay' && candidates.includes(status.node)) return status.node
  return leastUsed(datacenter, service.sid, candidates)
}

/** Whether it moves back once a host with higher priority is online. */
function returnsHome(datacenter: Datacenter, { resource }: HaService): boolean {
  if (datacenter.pve === 9) return resource.failback !== '0'
  return groupOf(datacenter, resource)?.nofailback !== '1'
}

function groupOf({ state }: Datacenter, { group }: Section): Section | undefined {
  return group === undefined ? undefined : state.sections['ha-groups']?.[String(group)]
}

/** The enabled rules of that kind that name the resource. */
function rulesFor({ state, pve }: Datacenter, type: string, sid: string): Section[] {
  if (pve === 8) return []
  return Object.values(state.sections['ha-rules'] ?? {}).filter(
    (rule) => rule.type === type && rule.disable !== '1' && resourcesOf(rule).includes(sid),
  )
}

const resourcesOf = (rule: Section) => splitList(String(rule.resources ?? ''))

/** The priority of a host for a service; `undefined` if it is not allowed. */
function prioritiesOf(datacenter: Datacenter, { sid, resource }: HaService): (node: string) => number | undefined {
  const [rule] = rulesFor(datacenter, 'node-affinity', sid)
  const preference = datacenter.pve === 8 ? groupOf(datacenter, resource) : rule
  if (preference === undefined) return () => 0
  const named = new Map(
    splitList(String(preference.nodes ?? '')).map((entry): [string, number] => {
      const [node = '', priority = '0'] = entry.split(':')
      return [node, Number(priority)]
    }),
  )
  const isStrict = preference.restricted === '1' || preference.strict === '1'
  return (node) => named.get(node) ?? (isStrict ? undefined : -1)
}

interface Neighbours {
  /** Hosts of its companions, and how many are there. */
  readonly together: ReadonlyMap<string, number>
  /** Hosts of resources that it must be apart from. */
  readonly separate: ReadonlySet<string>
}

/** The resources that rules bind to this one. */
export function boundTo(datacenter: Datacenter, sid: string, affinity: 'positive' | 'negative'): string[] {
  const rules = rulesFor(datacenter, 'resource-affinity', sid).filter((rule) => rule.affinity === affinity)
  return [...new Set(rules.flatMap(resourcesOf))].filter((other) => other !== sid).sort()
}

function neighbours(datacenter: Datacenter, sid: string): Neighbours {
  const { services } = haStateOf(datacenter)
  const online = onlineNodes(datacenter)
  const together = new Map<string, number>()
  for (const other of boundTo(datacenter, sid, 'positive')) {
    const node = services[other]?.target ?? services[other]?.node ?? ''
    if (online.includes(node)) together.set(node, (together.get(node) ?? 0) + 1)
  }
  const apart = boundTo(datacenter, sid, 'negative').flatMap((other) => [
    services[other]?.node,
    services[other]?.target,
  ])
  return { together, separate: new Set(apart.filter((node): node is string => node !== undefined)) }
}

/** Where most of its companions are, if that is allowed. */
function nearest(candidates: readonly string[], together: ReadonlyMap<string, number>): readonly string[] {
  const [most] = [...together]
    .filter(([node]) => candidates.includes(node))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return most === undefined ? candidates : [most[0]]
}

function leastUsed(datacenter: Datacenter, sid: string, candidates: readonly string[]): string | undefined {
  const others = Object.entries(haStateOf(datacenter).services).filter(
    ([other, { state }]) => other !== sid && state !== 'stopped',
  )
  const load = (node: string) => others.filter(([, status]) => status.node === node || status.target === node).length
  return [...candidates].sort((a, b) => load(a) - load(b) || (a < b ? -1 : 1))[0]
}
