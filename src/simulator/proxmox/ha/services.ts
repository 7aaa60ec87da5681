import type { Datacenter } from '../datacenter.js'
import { splitList } from '../schema/formats.js'
import type { HaServiceState, HaState, Section, VmState } from '../state.js'

/** A resource of the manager, with its VM and its recorded state. */
export interface HaService {
  readonly sid: string
  readonly vm: VmState
  readonly resource: Section
  readonly status: HaServiceState
}

/** The manager's records. */
export function haStateOf({ state }: Datacenter): HaState {
  state.ha ??= { nodes: {}, services: {} }
  return state.ha
}

/** The requested state of a resource; `started` by default. */
export function requestedState(resource: Section): string {
  return String(resource.state ?? 'started')
}

export function findVmOf({ state }: Datacenter, sid: string): VmState | undefined {
  return state.vms[sid.split(':')[1] ?? '']
}

/** The managed resources, in the manager's order. */
export function managedResources(datacenter: Datacenter): { sid: string; vm: VmState; resource: Section }[] {
  const resources = Object.entries(datacenter.state.sections.ha ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return resources.flatMap(([sid, resource]) => {
    const vm = findVmOf(datacenter, sid)
    return vm === undefined || requestedState(resource) === 'ignored' ? [] : [{ sid, vm, resource }]
  })
}

/** The current services: new resources are added, removed ones dropped. */
export function servicesOf(datacenter: Datacenter): HaService[] {
  const { services } = haStateOf(datacenter)
  const managed = managedResources(datacenter)
  for (const sid of Object.keys(services)) if (!managed.some((one) => one.sid === sid)) forget(datacenter, sid)
  return managed.map((one) => {
    const status = services[one.sid] ?? joining(one.vm, requestedState(one.resource))
    services[one.sid] = status
    return { ...one, status }
  })
}

function joining(vm: VmState, requested: string): HaServiceState {
  const state = requested === 'started' ? 'request_start' : 'request_stop'
  return { state, node: vm.host, running: false, tries: 0, failedNodes: [] }
}

function forget(datacenter: Datacenter, sid: string): void {
  delete haStateOf(datacenter).services[sid]
  const vm = findVmOf(datacenter, sid)
  if (vm !== undefined) delete vm.ha
}

/** The state as users see it. */
export function verboseState(resource: Section | undefined, status: HaServiceState | undefined): string {
  if (resource === undefined) return 'deleting'
  const requested = requestedState(resource)
  if (requested === 'ignored') return 'ignored'
  if (status === undefined) return 'queued'
  const { state, running } = status
  if (state === 'stopped' && requested === 'started') return 'starting'
  if (state === 'stopped' && requested === 'disabled') return 'disabled'
  if (state === 'started' && !running) return 'starting'
  if (state === 'started' && requested !== 'started') return 'stopping'
  if (state === 'error' && requested === 'disabled') return 'clearing error flag'
  return state
}

/** A removed resource is removed from rules; a rule that named nothing else is deleted. */
export function dropFromRules({ state }: Datacenter, sid: string): void {
  const rules = state.sections['ha-rules'] ?? {}
  for (const [id, rule] of Object.entries(rules)) {
    const left = splitList(String(rule.resources)).filter((other) => other !== sid)
    if (left.length === 0) delete rules[id]
    else rule.resources = left.join(',')
  }
}
