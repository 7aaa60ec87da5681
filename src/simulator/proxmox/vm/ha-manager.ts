import { died } from '../api-error.js'
import type { Datacentre } from '../datacentre.js'
import type { HaServiceState, VmState } from '../state.js'
import { isOnline, watchNodes } from './ha-nodes.js'
import { boundTo } from './ha-placement.js'
import { type HaService, haStateOf, managedResources, requestedState, servicesOf } from './ha-services.js'
import { decide } from './ha-states.js'
import { workFor } from './ha-worker.js'

/** Rounds have a fixed schedule, whatever woke the manager: at 4, 14, 24 … seconds past the minute. */
const roundMs = 10_000
const beatMs = 4000

/** The state of a lab's manager: whether its next round is scheduled, and the services that hosts work for. */
interface Running {
  isAwake: boolean
  readonly busy: Set<string>
}

const managers = new WeakMap<Datacentre, Running>()

function managerOf(datacentre: Datacentre): Running {
  const known = managers.get(datacentre) ?? { isAwake: false, busy: new Set<string>() }
  managers.set(datacentre, known)
  return known
}

/** Requests a check in the next round. The manager sleeps while everything is as it should be. */
export function wakeHa(datacentre: Datacentre): void {
  const manager = managerOf(datacentre)
  if (manager.isAwake) return
  manager.isAwake = true
  const sinceBeat = (datacentre.clock.now() - beatMs) % roundMs
  datacentre.clock.after(roundMs - sinceBeat, () => {
    manager.isAwake = false
    doRound(datacentre, manager)
  })
}

/** A start is requested at once; a stop is a command that the manager executes. */
export function considerHa(datacentre: Datacentre, vmid: number, wanted?: 'started' | 'stopped'): void {
  const sid = `vm:${vmid}`
  const resource = datacentre.state.sections.ha?.[sid]
  const status = haStateOf(datacentre).services[sid]
  if (wanted === 'started' && status?.state === 'error')
    throw died(`service '${sid}' in error state, must be disabled and fixed first`)
  if (wanted === 'stopped' && status !== undefined) status.command = ['stop', '0']
  else if (wanted !== undefined && resource !== undefined) resource.state = wanted
  wakeHa(datacentre)
}

/** Hosts or VMs went down, perhaps a specific one. */
export function recoverHa(datacentre: Datacentre, vm?: VmState): void {
  if (managedResources(datacentre).some((one) => vm === undefined || one.vm === vm)) wakeHa(datacentre)
}

/** Requests a move, and that of the companions; a resource that must be apart blocks it. */
export function requestMove(datacentre: Datacentre, sid: string, verb: 'migrate' | 'relocate', node: string): void {
  const { services } = haStateOf(datacentre)
  const isOnTarget = ({ node: at, target }: HaServiceState) => (target ?? at) === node
  const isBlocked = boundTo(datacentre, sid, 'negative').some((other) => {
    const status = services[other]
    return status !== undefined && isOnTarget(status)
  })
  if (isBlocked || datacentre.state.hosts[node]?.online !== true) return
  for (const one of [sid, ...boundTo(datacentre, sid, 'positive')]) {
    const status = services[one]
    if (status !== undefined && !isOnTarget(status)) status.command = [verb, node]
  }
  wakeHa(datacentre)
}

function doRound(datacentre: Datacentre, manager: Running): void {
  const { state } = datacentre
  const services = servicesOf(datacentre)
  if (services.length === 0) return
  watchNodes(datacentre)
  if (state.quorate) {
    for (const service of services) settle(datacentre, service, manager)
    for (const service of services) delegate(datacentre, service, manager)
  }
  if (Object.values(state.hosts).some(({ online }) => !online) || !services.every(isSettled)) wakeHa(datacentre)
}

/** Decisions follow each other until one needs work or time. */
function settle(datacentre: Datacentre, service: HaService, { busy }: Running): void {
  const { status, vm, sid } = service
  for (let before = ''; before !== status.state && !busy.has(sid); ) {
    before = status.state
    decide(datacentre, service)
  }
  vm.ha = status.state
}

function delegate(datacentre: Datacentre, service: HaService, { busy }: Running): void {
  const { sid, status } = service
  const work = busy.has(sid) || !isOnline(datacentre, status.node) ? undefined : workFor(datacentre, service)
  if (work === undefined) return
  const { state } = status
  busy.add(sid)
  void work().then((isDone) => {
    busy.delete(sid)
    if (status.state === state && state !== 'stopped') status.result = isDone ? 'ok' : 'failed'
    wakeHa(datacentre)
  })
}

function isSettled({ status, vm, resource }: HaService): boolean {
  if (status.command !== undefined || status.result !== undefined) return false
  const requested = requestedState(resource)
  if (status.state === 'started') return status.running && vm.running && requested === 'started'
  if (status.state === 'stopped') return !vm.running && requested !== 'started'
  return status.state === 'error' && requested !== 'disabled'
}
