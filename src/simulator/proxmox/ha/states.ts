import type { Datacenter } from '../datacenter.js'
import type { HaServiceState } from '../state.js'
import { isFenced, isOnline, markFencing, mustBeFenced } from './nodes.js'
import { selectNode } from './placement.js'
import { type HaService, requestedState } from './services.js'

/** One check of a service by the manager: decides, and leaves the work to the hosts. */
export function decide(datacenter: Datacenter, service: HaService): void {
  const { status } = service
  const before = status.state
  deciders[before]?.(datacenter, service)
  if (status.state !== before) status.tries = 0
}

type Decider = (datacenter: Datacenter, service: HaService) => void

const deciders: Record<string, Decider> = {
  request_start: (_, { status }) => enter(status, 'started'),
  started: decideStarted,
  request_stop: (datacenter, { status }) => {
    if (status.result !== undefined) enter(status, status.result === 'ok' ? 'stopped' : 'error')
    else fenceIfDead(datacenter, status)
  },
  stopped: decideStopped,
  migrate: decideMoving,
  relocate: decideMoving,
  fence: (datacenter, { status }) => {
    markFencing(datacenter, status.node)
    if (isFenced(datacenter, status.node)) enter(status, 'recovery')
  },
  recovery: recover,
  error: (_, service) => {
    if (requestedState(service.resource) !== 'disabled') return
    service.status.failedNodes = []
    enter(service.status, 'stopped')
  },
}

/** A request that was not carried out yet is lost with the state that it was made in. */
function enter(status: HaServiceState, state: string, target?: string): void {
  status.state = state
  delete status.result
  delete status.command
  if (target === undefined) delete status.target
  else status.target = target
  if (state !== 'started') status.running = false
}

function fenceIfDead(datacenter: Datacenter, status: HaServiceState): boolean {
  if (!mustBeFenced(datacenter, status.node)) return false
  enter(status, 'fence')
  return true
}

function decideStarted(datacenter: Datacenter, service: HaService): void {
  const { status, resource } = service
  if (!isOnline(datacenter, status.node)) fenceIfDead(datacenter, status)
  else if (requestedState(resource) !== 'started') enter(status, 'request_stop')
  else if (status.command !== undefined) dispatch(datacenter, service, status.command)
  else if (status.result === 'failed') relocate(datacenter, service)
  else keepRunning(datacenter, service)
}

function keepRunning(datacenter: Datacenter, service: HaService): void {
  const { status } = service
  if (status.result === 'ok') Object.assign(status, { running: true, failedNodes: [], tries: 0 })
  delete status.result
  moveTo(service, selectNode(datacenter, service, 'stay'))
}

function moveTo({ status }: HaService, node: string | undefined): void {
  if (node !== undefined && node !== status.node) enter(status, 'migrate', node)
}

/** A permanently failed start is tried on other hosts, as often as the resource allows. */
function relocate(datacenter: Datacenter, service: HaService): void {
  const { status, resource } = service
  delete status.result
  status.running = false
  status.tries = 0
  status.failedNodes.push(status.node)
  if (status.failedNodes.length > Number(resource.max_relocate ?? 1)) enter(status, 'error')
  else moveTo(service, selectNode(datacenter, service, 'next'))
}

/** Executes the request, if it still makes sense. */
function dispatch(
  datacenter: Datacenter,
  { status, resource }: HaService,
  [verb, to]: readonly [string, string],
): void {
  delete status.command
  if (verb !== 'stop') {
    if (isOnline(datacenter, to) && to !== status.node) enter(status, verb, to)
    return
  }
  resource.state = 'stopped'
  enter(status, 'request_stop')
  status.command = ['stop', to]
}

function decideStopped(datacenter: Datacenter, service: HaService): void {
  const { status, resource, vm } = service
  const requested = requestedState(resource)
  const { command } = status
  status.node = vm.host
  delete status.command
  if (command !== undefined && command[0] !== 'stop') dispatch(datacenter, service, command)
  else if (requested !== 'disabled' && !fenceIfDead(datacenter, status) && requested === 'started')
    enter(status, 'request_start')
}

function decideMoving(datacenter: Datacenter, { status, resource }: HaService): void {
  const { result, target } = status
  if (result === undefined) {
    fenceIfDead(datacenter, status)
    return
  }
  if (result === 'ok' && target !== undefined) status.node = target
  enter(status, requestedState(resource) === 'started' ? 'started' : 'request_stop')
}

const removableLocks = /^(backup|mounted|migrate|clone|rollback|snapshot|snapshot-delete|suspending|suspended)$/

/** Only the configuration moves: a disk on the failed host is not available. */
function recover(datacenter: Datacenter, service: HaService): void {
  const { clock, ledger } = datacenter
  const { status, vm, resource } = service
  const from = status.node
  const node = selectNode(datacenter, service, 'best')
  if (node === undefined) {
    if (requestedState(resource) === 'disabled') enter(status, 'stopped')
    return
  }
  if (removableLocks.test(vm.config.lock ?? '')) delete vm.config.lock
  vm.host = node
  status.node = node
  enter(status, requestedState(resource) === 'started' ? 'started' : 'request_stop')
  const subject = String(vm.vmid)
  ledger.record({
    at: clock.now(),
    surface: 'proxmox',
    event: 'vm.recovered',
    subject,
    mutating: false,
    detail: { from, to: node },
  })
}
