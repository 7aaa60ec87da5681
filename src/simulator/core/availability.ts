import type { SimClock } from './clock.js'
import type { Ledger } from './ledger.js'
import { isTouchOf, type Touch, touchOf } from './touches.js'

/** What a lab's machines provide at one moment. */
export interface Vitals {
  /** VIPs, and cluster names for clients that use any control plane. */
  readonly apis: readonly { readonly endpoint: string; readonly isServed: boolean }[]
  readonly etcds: readonly { readonly id: string; readonly hasMajority: boolean }[]
  /** By VM name. */
  readonly machines: readonly { readonly name: string; readonly isReady: boolean }[]
}

/** Something that was available and is not, in model milliseconds; without `to` it is still unavailable. */
export interface Outage {
  readonly subject: string
  readonly from: number
  readonly to?: number
}

/** Records outages and changes to VMs, judged inside the lab. Only what was available once can have an outage. */
export interface Availability {
  /**
   * By endpoint: a VIP, or a cluster name for all its control planes. Without an etcd majority, Kubernetes is
   * unavailable.
   */
  apiOutages(endpoint?: string): readonly Outage[]
  /** By etcd ID: when its majority was missing. */
  etcdOutages(id?: string): readonly Outage[]
  /** By VM name: when a machine that had been ready was not. */
  machineOutages(name?: string): readonly Outage[]
  /** The highest number of these machines that were unavailable at the same moment. */
  maxAway(names: readonly string[]): { readonly at: number; readonly machines: readonly string[] }
  /** Calls that created or changed a VM, in order. */
  touches(vmid: number): readonly Touch[]
}

/** Checks after every event and every recorded change, and on request. */
export function watchAvailability(ledger: Ledger, clock: SimClock, look: () => Vitals): Availability {
  const apis = createTimeline()
  const etcds = createTimeline()
  const machines = createTimeline()
  let isLooking = false

  const sample = () => {
    if (isLooking) return
    isLooking = true
    const vitals = look()
    const at = clock.now()
    apis.note(at, new Map(vitals.apis.map(({ endpoint, isServed }) => [endpoint, isServed])))
    etcds.note(at, new Map(vitals.etcds.map(({ id, hasMajority }) => [id, hasMajority])))
    machines.note(at, new Map(vitals.machines.map(({ name, isReady }) => [name, isReady])))
    isLooking = false
  }
  ledger.onRecord(({ event, mutating }) => {
    if (event !== 'call' || mutating) sample()
  })

  const asked = (timeline: Timeline) => (subject?: string) => {
    sample()
    return timeline.outages().filter((outage) => subject === undefined || outage.subject === subject)
  }
  const machineOutages = asked(machines)
  return {
    apiOutages: asked(apis),
    etcdOutages: asked(etcds),
    machineOutages,
    maxAway: (names) => maxAtOnce(machineOutages().filter(({ subject }) => names.includes(subject))),
    touches: (vmid) =>
      ledger
        .entries()
        .filter((entry) => isTouchOf(entry, vmid))
        .map(touchOf),
  }
}

interface Timeline {
  note(at: number, states: ReadonlyMap<string, boolean>): void
  outages(): readonly Outage[]
}

function createTimeline(): Timeline {
  const up = new Map<string, boolean>()
  const outages: { subject: string; from: number; to?: number }[] = []

  const change = (at: number, subject: string, isUp: boolean) => {
    if (up.get(subject) === isUp) return
    if (!isUp && up.get(subject) === undefined) return
    const open = outages.findLast((outage) => outage.subject === subject && outage.to === undefined)
    if (isUp && open !== undefined) open.to = at
    if (!isUp) outages.push({ subject, from: at })
    up.set(subject, isUp)
  }

  return {
    note: (at, states) => {
      for (const [subject, isUp] of states) change(at, subject, isUp)
      for (const subject of up.keys()) if (!states.has(subject)) change(at, subject, false)
    },
    outages: () => outages.map((outage) => ({ ...outage })),
  }
}

/** An outage that ends exactly when another begins does not overlap with it. */
function maxAtOnce(outages: readonly Outage[]): { at: number; machines: string[] } {
  const away = (at: number) =>
    outages.filter(({ from, to }) => from <= at && (to === undefined || to > at)).map(({ subject }) => subject)
  const moments = outages.map(({ from }) => ({ at: from, machines: away(from) }))
  const none = { at: 0, machines: [] as string[] }
  return moments.reduce((most, moment) => (moment.machines.length > most.machines.length ? moment : most), none)
}
