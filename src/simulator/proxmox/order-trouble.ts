import type { Datacenter } from './datacenter.js'
import { countVotes } from './quorum.js'
import type { VmState } from './state.js'
import { placeOf } from './storage/storages.js'
import { cutHosts, setHung } from './trouble.js'

/** Troubles of a lab's Proxmox besides faults of single requests. Each lasts until it is ended. */
export interface ProxmoxTrouble {
  /** The API of a host accepts connections and requests, and answers none. */
  hangApi(host: string, isHung?: boolean): void
  /** The delay of the statistics in `/cluster/resources`, in model milliseconds. */
  lagStatistics(modelMs: number): void
  /** QEMU exits at once whenever the VM is started. */
  failStarts(vmid: number, isFailing?: boolean): void
  /** QEMU stops the running VM's processors with `internal-error`; stopping the VM ends it. */
  internalError(vmid: number): void
  /** How many times slower than usual; 1 ends it. */
  slowStorage(host: string, storage: string, factor: number): void
  /** It is read-only. */
  readOnlyStorage(host: string, storage: string, isReadOnly?: boolean): void
  /** How much of the metadata of a thin pool is used, from 0 to 1. */
  fillMetadata(host: string, storage: string, used: number): void
  /** The host has 8 GiB of swap and uses that many bytes of it. */
  useSwap(host: string, bytes: number): void
  /** Its clock is wrong by that many model milliseconds. */
  skewClock(host: string, modelMs: number): void
  /** These hosts and those cannot reach each other: neither votes nor calls get through. */
  cutHosts(some: readonly string[], others: readonly string[], isCut?: boolean): void
  /** That host's copy of the cluster file system lags by that many model milliseconds; 0 ends it. */
  lagClusterFiles(host: string, modelMs: number): void
  /** Root removes the config file of a VM: its disks stay, and it is no longer listed. */
  removeVmFile(vmid: number): void
  /** Root runs `qm unlock`: removes any lock in its config, including one left by a killed worker. */
  unlockVm(vmid: number): void
  /** The token stops working; `false` restores it. */
  revokeToken(tokenId: string, isRevoked?: boolean): void
  /** The token loses these privileges everywhere; an empty list restores all. */
  narrowToken(tokenId: string, privileges: readonly string[]): void
}

export function troubleFor(datacenter: Datacenter): ProxmoxTrouble {
  const { state, trouble } = datacenter
  return {
    hangApi: (host, isHung = true) => setHung(trouble, host, isHung),
    lagStatistics: (modelMs) => {
      trouble.statisticsDelayMs = modelMs
    },
    failStarts: (vmid, isFailing = true) => setMember(trouble.brokenStarts, vmid, isFailing),
    internalError: (vmid) => {
      getRunning(datacenter, vmid).qmpStatus = 'internal-error'
      datacenter.machines.find(vmid)?.freeze?.()
    },
    slowStorage: (host, storage, factor) => {
      for (const key of keysOf(datacenter, host, storage)) trouble.slowStorages.set(key, factor)
    },
    readOnlyStorage: (host, storage, isReadOnly = true) => {
      for (const key of keysOf(datacenter, host, storage)) setMember(trouble.readOnlyStorages, key, isReadOnly)
    },
    fillMetadata: (host, storage, used) => {
      for (const key of keysOf(datacenter, host, storage)) trouble.filledMetadata.set(key, used)
    },
    useSwap: (host, bytes) => void trouble.usedSwap.set(host, bytes),
    skewClock: (host, modelMs) => void trouble.clockSkews.set(host, modelMs),
    cutHosts: (some, others, isCut = true) => {
      cutHosts(trouble, some, others, isCut)
      countVotes(state, trouble)
    },
    lagClusterFiles: (host, modelMs) => trouble.lagged.set(host, modelMs),
    removeVmFile: (vmid) => {
      if (state.vms[String(vmid)]?.running === true) throw new Error(`VM ${vmid} runs in this lab.`)
      delete state.vms[String(vmid)]
    },
    unlockVm: (vmid) => {
      delete state.vms[String(vmid)]?.config.lock
    },
    revokeToken: (tokenId, isRevoked = true) => revokeToken(datacenter, tokenId, isRevoked),
    narrowToken: (tokenId, privileges) => narrowToken(datacenter, tokenId, privileges),
  }
}

export function revokeToken({ state }: Datacenter, tokenId: string, isRevoked = true): void {
  const revoked = new Set(state.access.revoked)
  setMember(revoked, tokenId, isRevoked)
  state.access.revoked = [...revoked]
}

export function narrowToken({ state }: Datacenter, tokenId: string, privileges: readonly string[]): void {
  state.access.narrowed = { ...state.access.narrowed, [tokenId]: [...privileges] }
}

function setMember<T>(set: Set<T>, member: T, isIn: boolean): void {
  if (isIn) set.add(member)
  else set.delete(member)
}

function getRunning({ state }: Datacenter, vmid: number): VmState {
  const vm = state.vms[String(vmid)]
  if (vm?.running !== true) throw new Error(`VM ${vmid} does not run in this lab.`)
  return vm
}

/** A shared storage is the same on every host. */
function keysOf({ state }: Datacenter, host: string, id: string): string[] {
  const storage = state.storages[id]
  if (storage === undefined) throw new Error(`The lab has no storage "${id}".`)
  const hosts = placeOf(storage, host) === '' ? Object.keys(state.hosts) : [host]
  return hosts.map((name) => `${name}|${id}`)
}
