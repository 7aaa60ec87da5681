import type { Datacenter } from '../datacenter.js'
import type { Call, Routes } from '../http/call.js'
import type { HaServiceState, HostState, Section } from '../state.js'
import { findVmOf, haStateOf, requestedState, verboseState } from './services.js'

/** `Sun Nov 15 03:22:14 2026`. */
function calendarTime(ms: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().replace(',', '').split(' ')
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`
}

function masterOf({ state }: Datacenter): string {
  return Object.values(state.hosts).find(({ online }) => online)?.name ?? ''
}

function current(call: Call): unknown[] {
  const { datacenter, entry } = call
  const { state, clock } = datacenter
  const timestamp = Math.floor(clock.now() / 1000)
  const when = calendarTime(clock.now())
  const master = masterOf(datacenter)
  const quorum = { id: 'quorum', type: 'quorum', node: entry, quorate: state.quorate ? 1 : 0 }
  return [
    { ...quorum, status: state.quorate ? 'OK' : `No quorum on node '${entry}'!` },
    { id: 'master', type: 'master', node: master, status: `${master} (active, ${when})`, timestamp },
    ...(datacenter.pve === 9 ? [fencing(master)] : []),
    ...Object.values(state.hosts).map((host) => lrm(datacenter, host)),
    ...services(datacenter),
  ]
}

function fencing(node: string): Record<string, unknown> {
  return { id: 'fencing', type: 'fencing', node, status: 'armed (CRM watchdog active)', 'armed-state': 'armed' }
}

/** A host's local manager; for a lost one the last known state. */
function lrm(datacenter: Datacenter, { name, online }: HostState): Record<string, unknown> {
  const { clock, pve } = datacenter
  const heard = online ? clock.now() : (haStateOf(datacenter).nodes[name]?.silentSince ?? clock.now())
  const watchdog = pve === 9 ? `, watchdog ${online ? 'active' : 'standby'}` : ''
  return {
    id: `lrm:${name}`,
    type: 'lrm',
    node: name,
    status: `${name} (${online ? 'active' : 'old timestamp - dead?'}${watchdog}, ${calendarTime(heard)})`,
    timestamp: Math.floor(heard / 1000),
  }
}

/** Known to the manager first, then those that wait for its next round. */
function services(datacenter: Datacenter): Record<string, unknown>[] {
  const known = haStateOf(datacenter).services
  const resources = datacenter.state.sections.ha ?? {}
  const waiting = Object.keys(resources).filter((sid) => known[sid] === undefined)
  return [...Object.keys(known).sort(), ...waiting.sort()].map((sid) =>
    service(datacenter, sid, resources[sid], known[sid]),
  )
}

function service(
  datacenter: Datacenter,
  sid: string,
  resource: Section | undefined,
  status: HaServiceState | undefined,
): Record<string, unknown> {
  const node = status?.node ?? findVmOf(datacenter, sid)?.host ?? ''
  const state = verboseState(resource, status)
  return {
    id: `service:${sid}`,
    type: 'service',
    sid,
    node,
    state,
    ...(status === undefined ? {} : { crm_state: status.state }),
    status: `${sid} (${node}, ${state})`,
    ...(resource === undefined ? {} : attributes(datacenter, resource)),
  }
}

function attributes({ pve }: Datacenter, resource: Section): Record<string, unknown> {
  const { group, comment } = resource
  return {
    request_state: requestedState(resource),
    max_restart: Number(resource.max_restart ?? 1),
    max_relocate: Number(resource.max_relocate ?? 1),
    ...(pve === 9 ? { failback: Number(resource.failback ?? 1) } : {}),
    ...(group === undefined ? {} : { group }),
    ...(comment === undefined ? {} : { comment }),
  }
}

function managerStatus({ datacenter, entry }: Call): unknown {
  const { state, clock } = datacenter
  const { nodes, services: known } = haStateOf(datacenter)
  const timestamp = Math.floor(clock.now() / 1000)
  const hosts = Object.values(state.hosts)
  const nodeStatus = ({ name, online }: HostState) => nodes[name]?.state ?? (online ? 'online' : 'unknown')
  return {
    quorum: { node: entry, quorate: state.quorate ? '1' : '0' },
    manager_status: {
      master_node: masterOf(datacenter),
      timestamp,
      node_status: Object.fromEntries(hosts.map((host) => [host.name, nodeStatus(host)])),
      service_status: Object.fromEntries(Object.entries(known).map(([sid, status]) => [sid, reported(sid, status)])),
    },
    lrm_status: Object.fromEntries(
      hosts.map(({ name }) => [
        name,
        { state: 'active', mode: 'active', timestamp, results: resultsOn(name, Object.entries(known)) },
      ]),
    ),
  }
}

function reported(sid: string, { state, node, target, running, failedNodes }: HaServiceState): Record<string, unknown> {
  return {
    state,
    node,
    uid: uidOf(sid, { state, node }),
    ...(target === undefined ? {} : { target }),
    ...(running ? { running: 1 } : {}),
    ...(failedNodes.length === 0 ? {} : { failed_nodes: failedNodes }),
  }
}

/** How the orders to a host ended, by order. */
function resultsOn(host: string, known: readonly [string, HaServiceState][]): Record<string, unknown> {
  const ended = known.filter(([, { node, result, running }]) => node === host && (running || result !== undefined))
  return Object.fromEntries(
    ended.map(([sid, status]) => [
      uidOf(sid, status),
      { sid, state: status.state, exit_code: status.result === 'failed' ? 1 : 0 },
    ]),
  )
}

/** The name of an order: it changes with the requested state. */
function uidOf(sid: string, { state, node }: Pick<HaServiceState, 'state' | 'node'>): string {
  return Buffer.from(`${sid} ${state} ${node}`).toString('base64').slice(0, 22)
}

/** The current activity of the HA manager. */
export const haStatusRoutes: Routes = {
  'GET /cluster/ha/status': () => ['current', 'manager_status'].map((name) => ({ name })),
  'GET /cluster/ha/status/current': current,
  'GET /cluster/ha/status/manager_status': managerStatus,
}
