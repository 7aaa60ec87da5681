import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import type { HaServiceState, VmState } from '../state.js'
import { isOnline, watchNodes } from './nodes.js'
import { boundTo } from './placement.js'
import { type HaService, haStateOf, managedResources, requestedState, servicesOf } from './services.js'
import { decide } from './states.js'
import { workFor } from './worker.js'

/** Rounds have a fixed schedule, whatever woke the manager: at 4, 14, 24 … seconds past the minute. */
const roundMs = 10_000
const beatMs = 4000

/** The state of a lab's manager: whether its next round is scheduled, and the services that hosts work for. */
interface Running {
  isAwake: boolean
  readonly busy: Set<string>
}

const managers = new WeakMap<Datacenter, Running>()

function managerOf(datacenter: Datacenter): Running {
  const known = managers.get(datacenter) ?? { isAwake: false, busy: new Set<string>() }
  managers.set(datacenter, known)
  return known
}

/** Requests a check in the next round. The manager sleeps while everything is as it should be. */
export function wakeHa(datacenter: Datacenter): void {
  const manager = managerOf(datacenter)
  if (manager.isAwake) return
  manager.isAwake = true
  const sinceBeat = (datacenter.clock.now() - beatMs) % roundMs
  datacenter.clock.after(roundMs - sinceBeat, () => {
    manager.isAwake = false
    doRound(datacenter, manager)
  })
}

/** A start is requested at once; a stop is a command that the manager executes. */
export function considerHa(datacenter: Datacenter, vmid: number, wanted?: 'started' | 'stopped'): void {
  const sid = `vm:${vmid}`
  const resource = datacenter.state.sections.ha?.[sid]
  const status = haStateOf(datacenter).services[sid]
  if (wanted === 'started' && status?.state === 'error')
    throw died(`service '${sid}' in error state, must be disabled and fixed first`)
  if (wanted === 'stopped' && status !== undefined) status.command = ['stop', '0']
  else if (wanted !== undefined && resource !== undefined) resource.state = wanted
  wakeHa(datacenter)
}

/** Hosts or VMs went down, perhaps a specific one. */
export function recoverHa(datacenter: Datacenter, vm?: VmState): void {
  if (managedResources(datacenter).some((one) => vm === undefined || one.vm === vm)) wakeHa(datacenter)
}

/** Requests a move, and that of the companions; a resource that must be apart blocks it. */
export function requestMove(datacenter: Datacenter, sid: string, verb: 'migrate' | 'relocate', node: string): void {
  const { services } = haStateOf(datacenter)
  const isOnTarget = ({ node: at, target }: HaServiceState) => (target ?? at) === node
  const isBlocked = boundTo(datacenter, sid, 'negative').some((other) => {
    const status = services[other]
    return status !== undefined && isOnTarget(status)
  })
  if (isBlocked || datacenter.state.hosts[node]?.online !== true) return
  for (const one of [sid, ...boundTo(datacenter, sid, 'positive')]) {
    const status = services[one]
    if (status !== undefined && !isOnTarget(status)) status.command = [verb, node]
  }
  wakeHa(datacenter)
}

function doRound(datacenter: Datacenter, manager: Running): void {
  const { state } = datacenter
  const services = servicesOf(datacenter)
  if (services.length === 0) return
  watchNodes(datacenter)
  if (state.quorate) {
    for (const service of services) settle(datacenter, service, manager)
    for (const service of services) delegate(datacenter, service, manager)
  }
  if (Object.values(state.hosts).some(({ online }) => !online) || !services.every(isSettled)) wakeHa(datacenter)
}

/** Decisions follow each other until one needs work or time. */
function settle(datacenter: Datacenter, service: HaService, { busy }: Running): void {
  const { status, vm, sid } = service
  for (let before = ''; before !== status.state && !busy.has(sid); ) {
    before = status.state
    decide(datacenter, service)
  }
  vm.ha = status.state
}

function delegate(datacenter: Datacenter, service: HaService, { busy }: Running): void {
  const { sid, status } = service
  const work = busy.has(sid) || !isOnline(datacenter, status.node) ? undefined : workFor(datacenter, service)
  if (work === undefined) return
  const { state } = status
  busy.add(sid)
  void work().then((isDone) => {
    busy.delete(sid)
    if (status.state === state && state !== 'stopped') status.result = isDone ? 'ok' : 'failed'
    wakeHa(datacenter)
  })
}

function isSettled({ status, vm, resource }: HaService): boolean {
  if (status.command !== undefined || status.result !== undefined) return false
  const requested = requestedState(resource)
  if (status.state === 'started') return status.running && vm.running && requested === 'started'
  if (status.state === 'stopped') return !vm.running && requested !== 'started'
  return status.state === 'error' && requested !== 'disabled'
}
