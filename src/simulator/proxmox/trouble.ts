import type { SimClock } from '../core/clock.js'
import { died } from './api-error.js'
import { createLaggedViews, type LaggedViews } from './lagged-views.js'
import { pair } from './quorum.js'
import type { DatacenterState } from './state.js'

/** Troubles of the datacenter that last until they are ended. They are not saved with the lab. */
export interface Trouble {
  /** Model milliseconds until statistics show a new, started or stopped VM. */
  statisticsDelayMs: number
  /** Hosts whose API accepts requests and answers none; each waits for its host to recover. */
  readonly hung: Map<string, { readonly woken: Promise<void>; wake(): void }>
  /** VMs whose QEMU exits at once. */
  readonly brokenStarts: Set<number>
  /** Pairs of hosts that do not reach each other. */
  readonly cuts: Set<string>
  /** By host and storage: the slowdown factor. */
  readonly slowStorages: Map<string, number>
  readonly readOnlyStorages: Set<string>
  /** Thin pools, by host and storage: how much of their metadata is used, from 0 to 1. */
  readonly filledMetadata: Map<string, number>
  /** Used bytes of swap, by host. */
  readonly usedSwap: Map<string, number>
  /** Error of the clock in model milliseconds, by host. */
  readonly clockSkews: Map<string, number>
  /** Outdated copies of the cluster file system, by host. */
  readonly lagged: LaggedViews
}

export function createTrouble(state: DatacenterState, clock: SimClock, statisticsDelayMs: number): Trouble {
  return {
    statisticsDelayMs,
    hung: new Map(),
    brokenStarts: new Set(),
    cuts: new Set(),
    slowStorages: new Map(),
    readOnlyStorages: new Set(),
    filledMetadata: new Map(),
    usedSwap: new Map(),
    clockSkews: new Map(),
    lagged: createLaggedViews(state, clock),
  }
}

/** Resolves at once, or when the hanging host has recovered. */
export async function untilAwake({ hung }: Trouble, host: string): Promise<void> {
  await hung.get(host)?.woken
}

export function setHung({ hung }: Trouble, host: string, isHung: boolean): void {
  if (!isHung) {
    hung.get(host)?.wake()
    hung.delete(host)
    return
  }
  if (hung.has(host)) return
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  hung.set(host, { woken, wake })
}

export function cutHosts({ cuts }: Trouble, some: readonly string[], others: readonly string[], isCut: boolean): void {
  for (const one of some)
    for (const other of others) {
      if (isCut && one !== other) cuts.add(pair(one, other))
      else cuts.delete(pair(one, other))
    }
}

/** The slowdown factor of a storage on a host. */
export function slowdownOf({ slowStorages }: Trouble, host: string, storage: string): number {
  return slowStorages.get(`${host}|${storage}`) ?? 1
}

export function refuseReadOnly({ readOnlyStorages }: Trouble, host: string, storage: string, path: string): void {
  if (readOnlyStorages.has(`${host}|${storage}`)) throw died(`unable to open '${path}' - Read-only file system`)
}
