import type { SimClock } from './clock.js'
import type { Ledger } from './ledger.js'
import { isTouchOf, type Touch, touchOf } from './touches.js'

/** What a lab's machines give to the outside at one moment. */
export interface Vitals {
  /** VIPs, and names of clusters for whoever reaches any of their control planes. */
  readonly apis: readonly { readonly endpoint: string; readonly isServed: boolean }[]
  readonly etcds: readonly { readonly id: string; readonly hasMajority: boolean }[]
  /** By the name of the VM. */
  readonly machines: readonly { readonly name: string; readonly isReady: boolean }[]
}

/** Something that was there and is not, in model milliseconds; without `to` it still is not. */
export interface Outage {
  readonly subject: string
  readonly from: number
  readonly to?: number
}

/** What was available when, and who touched what, judged inside the lab. Only what was there once can be out. */
export interface Availability {
  /** By endpoint: a VIP, or the name of a cluster for its control planes together. Kubernetes without etcd's majority is out. */
  apiOutages(endpoint?: string): readonly Outage[]
  /** By the id of the etcd: when its majority was missing. */
  etcdOutages(id?: string): readonly Outage[]
  /** By the name of the VM: when a machine that had been ready was not. */
  machineOutages(name?: string): readonly Outage[]
  /** The most of these machines that were away at the same moment. */
  mostAway(names: readonly string[]): { readonly at: number; readonly machines: readonly string[] }
  /** Calls that changed a VM or made it, in their order. */
  touches(vmid: number): readonly Touch[]
}

/** Looks after every event and every change that the ledger records, and whenever it is asked. */
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
    mostAway: (names) => mostAtOnce(machineOutages().filter(({ subject }) => names.includes(subject))),
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

/** An outage that is over at the moment when another begins does not count with it. */
function mostAtOnce(outages: readonly Outage[]): { at: number; machines: string[] } {
  const away = (at: number) =>
    outages.filter(({ from, to }) => from <= at && (to === undefined || to > at)).map(({ subject }) => subject)
  const moments = outages.map(({ from }) => ({ at: from, machines: away(from) }))
  const none = { at: 0, machines: [] as string[] }
  return moments.reduce((most, moment) => (moment.machines.length > most.machines.length ? moment : most), none)
}
