import { createHash } from 'node:crypto'
import { parse } from 'yaml'
import type { SecretsBundle } from '../../src/secrets/bundle.js'
import type { LedgerEntry } from '../../src/simulator/index.js'
import type { Book } from './book.js'
import { Broken } from './broken.js'
import { judgeLinks } from './files.js'
import { handUser } from './hand.js'
import type { Ended } from './ichor.js'
import { everyKey, judgeKeys, judgeNewest } from './keys.js'
import { clusterVms, isOfCluster, isRecovered, nameOf, type SeenVm, stateOf } from './lab-state.js'
import { actAfterSuccession, robberyOfLease } from './operator.js'
import { ageKey, clusterName, drillName, givenPool, machineNames } from './shape.js'
import { readSecrets } from './site.js'

export interface Foreign {
  readonly vms: ReadonlyMap<number, string>
  readonly volumes: ReadonlyMap<string, string>
}

/** Whatever was there before ichor came. */
export function foreignIn({ site }: Book): Foreign {
  const { vms, volumes } = stateOf(site.lab)
  return {
    vms: new Map(Object.values(vms).map((vm) => [vm.vmid, printOf(vm)])),
    volumes: new Map(Object.entries(volumes).map(([key, volume]) => [key, JSON.stringify(volume)])),
  }
}

function printOf({ host, config, pending, running }: SeenVm): string {
  return JSON.stringify({ host, config, pending, running })
}

/** What must hold at every moment. */
export function judgeAlways(book: Book, foreign: Foreign): void {
  judgeForeign(book, foreign)
  judgeIdentities(book)
  judgeBootstraps(book)
  judgeMajority(book)
  judgeKeys(book.keys, book.site.lab)
  judgeLinks(book)
  for (const run of book.runs) judgeOutput(book, run)
  const [undrained] = book.undrained
  if (undrained !== undefined) throw new Broken('drain', undrained)
  const succeeded = actAfterSuccession() ?? robberyOfLease()
  if (succeeded !== undefined) throw new Broken('lease', succeeded)
  const unknown = book.site.lab.proxmox.unknown()
  if (unknown.length > 0) throw new Broken('unknown-call', unknown.join(', '))
}

function judgeForeign({ site, madeByHand }: Book, foreign: Foreign): void {
  const { vms, volumes } = stateOf(site.lab)
  for (const [vmid, before] of foreign.vms) {
    const vm = vms[String(vmid)]
    // A host that went down took its VMs along.
    if (vm === undefined) throw new Broken('foreign', `VM ${vmid} is gone`)
    const after = JSON.parse(printOf(vm)) as object
    const then = JSON.parse(before) as object
    if (JSON.stringify({ ...after, running: 0 }) !== JSON.stringify({ ...then, running: 0 }))
      throw new Broken('foreign', `VM ${vmid} was changed`)
  }
  for (const [key, before] of foreign.volumes)
    if (volumes[key] === undefined || JSON.stringify(volumes[key]) !== before)
      throw new Broken('foreign', `volume ${key} was changed or removed`)
  const untouchable = new Set([...foreign.vms.keys(), ...madeByHand])
  const touched = site.lab.ledger.entries().find((entry) => isTouch(entry, untouchable))
  if (touched !== undefined) throw new Broken('foreign', `ichor called ${touched.subject}`)
}

function isTouch(
  { event, surface, mutating, subject, detail }: LedgerEntry,
  untouchable: ReadonlySet<number>,
): boolean {
  if (event !== 'call' || surface !== 'proxmox' || !mutating || detail?.user === handUser) return false
  const vmid = /\/qemu\/(\d+)/.exec(subject)?.[1]
  return vmid !== undefined && untouchable.has(Number(vmid)) && detail?.status === 200
}

function judgeIdentities({ site, madeByHand }: Book): void {
  const seen = new Map<string, number>()
  for (const vm of Object.values(stateOf(site.lab).vms)) {
    if (madeByHand.has(vm.vmid) || vm.config.template === '1') continue
    for (const identity of identitiesOf(vm)) {
      const other = seen.get(identity)
      if (other !== undefined) throw new Broken('duplicate', `VM ${other} and VM ${vm.vmid} both have ${identity}`)
      seen.set(identity, vm.vmid)
    }
  }
}

function identitiesOf({ config }: SeenVm): string[] {
  const uuid = /uuid=([\w-]+)/.exec(config.smbios1 ?? '')?.[1]?.toLowerCase()
  const mac = /(?:[0-9a-f]{2}:){5}[0-9a-f]{2}/i.exec(config.net0 ?? '')?.[0]?.toUpperCase()
  return [uuid, mac].filter((part) => part !== undefined)
}

/** An empty etcd once for every life, one from a snapshot only by a restore, and none but such a one on the machine of a drill. */
function judgeBootstraps({ site, lives, restores }: Book): void {
  const made = site.lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')
  const [own, drilled] = [made.filter(isOfCluster), made.filter((entry) => !isOfCluster(entry))]
  const [recovered, empty] = [own.filter(isRecovered), own.filter((entry) => !isRecovered(entry))]
  if (empty.length > lives) throw new Broken('bootstrap', `etcd was bootstrapped ${empty.length} times`)
  if (recovered.length > restores)
    throw new Broken('bootstrap', `etcd was recovered ${recovered.length} times by ${restores} restores`)
  if (drilled.some(({ detail }) => detail?.recovered !== true))
    throw new Broken('bootstrap', 'a drill made an empty etcd')
}

/** etcd never loses its majority by something that ichor did; a cluster that is destroyed, or has one member, has none to lose. */
function judgeMajority({ site, destructions }: Book): void {
  const isDestruction = ({ at }: LedgerEntry) => destructions.some(({ from, to }) => at >= from && at <= to)
  const losses = majorityLosses(site.lab.ledger.entries(), site.lab.proxmox.tokenId, isDestruction)
  if (losses[0] !== undefined) throw new Broken('majority', losses.join('; '))
}

const powerCalls = /\/status\/(stop|shutdown|reboot|reset|suspend)$/
const talosPower = /\/(Reset|Reboot|Shutdown|Upgrade|EtcdLeaveCluster|EtcdRemoveMemberByID)$/

/** From the ledger alone: when etcd lost its majority, and the call of ichor that came before. */
function majorityLosses(
  entries: readonly LedgerEntry[],
  token: string,
  isDestruction: (entry: LedgerEntry) => boolean,
): string[] {
  const voters = new Set<string>()
  const running = new Set<string>()
  const owners = new Map<string, string>()
  const lastCall = new Map<string, LedgerEntry>()
  const byHand = new Map<string, LedgerEntry>()
  const losses: string[] = []
  let isWell = false
  let etcd = ''
  for (const entry of entries.filter(isOfCluster)) {
    const { event, subject, detail } = entry
    const member = String(detail?.member ?? '')
    if (event === 'call' && (powerCalls.test(subject) || subject.startsWith('DELETE '))) {
      const vmid = /\/qemu\/(\d+)/.exec(subject)?.[1] ?? ''
      ;(detail?.user === token ? lastCall : byHand).set(vmid, entry)
    }
    if (event === 'call' && entry.surface === 'talos' && talosPower.test(String(detail?.path)))
      lastCall.set(subject, entry)
    if (event === 'etcd.bootstrapped') {
      voters.clear()
      running.clear()
      etcd = String(detail?.etcd)
    }
    if (event === 'machine.hung') for (const [one, owner] of owners) if (owner === subject) running.delete(one)
    if (event === 'machine.woke') for (const [one, owner] of owners) if (owner === subject) running.add(one)
    if (event === 'machine.hung' || event === 'machine.woke') isWell = hasMajority(voters, running)
    if (!event.startsWith('etcd.') || String(detail?.etcd) !== etcd) continue
    owners.set(member, subject)
    if (event === 'etcd.bootstrapped' || event === 'etcd.member-promoted') voters.add(member)
    if (event === 'etcd.member-left' || event === 'etcd.member-removed') voters.delete(member)
    if (event === 'etcd.member-started') running.add(member)
    if (event === 'etcd.member-stopped') running.delete(member)
    const wasWell: boolean = isWell
    isWell = hasMajority(voters, running)
    if (!wasWell || isWell || voters.size < 2 || isDestruction(entry)) continue
    const cause = lastCall.get(String(detail?.vmid)) ?? lastCall.get(subject)
    const isByHand = (byHand.get(String(detail?.vmid))?.at ?? 0) > (cause?.at ?? 0)
    if (cause !== undefined && !isByHand && entry.at - cause.at < 120_000)
      losses.push(
        `${event} of ${subject} after ${String(cause.detail?.path ?? cause.subject)}: ${running.size} of ${voters.size} run`,
      )
  }
  return losses
}

function hasMajority(voters: ReadonlySet<string>, running: ReadonlySet<string>): boolean {
  return [...voters].filter((voter) => running.has(voter)).length > voters.size / 2
}

/** Nothing that ichor says holds a secret or a stack trace, and it always ends. */
function judgeOutput({ site, keys }: Book, { words, code, stdout, stderr, ms }: Ended): void {
  const text = `${stdout}\n${stderr}`
  const name = `ichor ${words.join(' ')}`
  if (code === 'hung') throw new Broken('hang', `${name} did not end within ${ms} ms`)
  if (code === 2) throw new Broken('harness', `${name} was a usage error: ${stderr}`)
  if (/This is a bug in ichor|\n\s+at .+:\d+:\d+/.test(text)) throw new Broken('bug', `${name}: ${stderr.slice(-800)}`)
  const found = [ageKey, ...everyKey(keys), ...secretsIn(site.secrets.bundle)].find((secret) => text.includes(secret))
  if (found !== undefined) throw new Broken('secret', `${name} printed ${found.slice(0, 6)}…`)
}

function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 12 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'crt' ? [] : secretsIn(inner)))
}

/** The secrets are those of the first day, but for keys that were rotated and what ichor remembers beside them. */
export async function judgeSecrets({ site, wereRotated }: Book): Promise<void> {
  const kept = ({ cluster, secrets, certs }: SecretsBundle) => {
    const { os, k8s, k8sserviceaccount, ...others } = certs
    const { secretboxencryptionsecret, ...tokens } = secrets
    return digest(wereRotated ? { cluster, secrets: tokens, certs: others } : { cluster, secrets, certs })
  }
  if (kept(parse(await readSecrets(site)) as SecretsBundle) !== kept(site.secrets.bundle))
    throw new Broken('secrets', 'the bundle is another one')
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** A verb that only looks changes nothing. */
export function judgeReading(calls: readonly LedgerEntry[], { words }: Ended, token: string): void {
  const change = calls.find(({ event, mutating, detail }) => event === 'call' && mutating && detail?.user === token)
  if (change !== undefined) throw new Broken('reading', `ichor ${words.join(' ')} called ${change.subject}`)
}

/** A drill changes no machine of the cluster; one that came to a verdict leaves nothing behind. */
export function judgeDrill({ site }: Book, calls: readonly LedgerEntry[], { code, stdout }: Ended): void {
  const state = stateOf(site.lab)
  const own = new Set(clusterVms(state).map(({ vmid }) => vmid))
  const touched = calls.find((entry) => isTouch(entry, own))
  if (touched !== undefined) throw new Broken('foreign', `a drill called ${touched.subject}`)
  if (code !== 0 && !stdout.includes(': failed')) return
  const left = Object.values(state.vms).some((vm) => nameOf(vm) === drillName)
  const pools = Object.keys(state.pools).filter((id) => id.startsWith(`ichor-${clusterName}-drill`))
  if (left || pools.length > 0) throw new Broken('left-behind', `a drill left ${left ? drillName : pools.join(', ')}`)
  if (code !== 0) throw new Broken('drill', `a snapshot could not be restored: ${stdout}`)
}

/** After `up` said that all is well: it is, and there is nothing else. */
export function judgeWell(book: Book, foreign: Foreign): void {
  const wanted = machineNames(book.shape).sort()
  const all = ownVms(book, foreign)
  // What a hand disowned before it had its identity is made again under another VMID.
  const isDisowned = (vm: SeenVm) =>
    book.disowned.has(vm.vmid) &&
    (!wanted.includes(nameOf(vm)) || all.some((other) => other !== vm && nameOf(other) === nameOf(vm)))
  const own = all.filter((vm) => !isDisowned(vm))
  const names = own
    .filter(({ config }) => config.template !== '1')
    .map(nameOf)
    .sort()
  if (names.join() !== wanted.join())
    throw new Broken('orphan', `VMs are ${names.join(', ')}; wanted are ${wanted.join(', ')}`)
  const powered = new Map(book.site.lab.talos.machines().map((machine) => [machine.vmid, machine]))
  for (const vm of own.filter(({ config }) => config.template !== '1')) {
    if (!vm.running) throw new Broken('unwell', `${nameOf(vm)} is off`)
    if (vm.host === `pve${book.shape.evacuated}`) throw new Broken('unwell', `${nameOf(vm)} has not left ${vm.host}`)
    if (powered.get(vm.vmid)?.isReady !== true) throw new Broken('unwell', `${nameOf(vm)} is not ready`)
  }
  judgeNewest(book.keys, book.site.lab)
  judgeVolumes(book, foreign)
  judgePools(book, [givenPool, clusterName, `ichor-${clusterName}`])
}

interface Status {
  readonly healthy: boolean
  readonly machines: readonly {
    readonly name: string
    readonly host: string | null
    readonly vmid: number | null
    readonly ready: boolean
    readonly state: string
  }[]
}

/** While nothing stands in its way, `status` says what the lab knows. */
export function judgeStatus(book: Book, foreign: Foreign, stdout: string): void {
  const { healthy, machines } = JSON.parse(stdout) as Status
  const own = ownVms(book, foreign).filter(({ vmid, config }) => !book.disowned.has(vmid) && config.lock === undefined)
  const powered = new Map(book.site.lab.talos.machines().map((machine) => [machine.vmid, machine]))
  for (const { name, host, vmid, ready, state } of machines) {
    const vm = own.find((one) => nameOf(one) === name)
    const said = `status calls ${name} ${state} on ${host}`
    if (vm === undefined) {
      if (vmid !== null && !book.disowned.has(vmid) && !isRenamed(book, vmid))
        throw new Broken('status', `${said}; there is none`)
      continue
    }
    if (host !== vm.host || vmid !== vm.vmid) throw new Broken('status', `${said}; it is VM ${vm.vmid} on ${vm.host}`)
    if (!vm.running && state !== 'stopped') throw new Broken('status', `${said}; it is off`)
    if (healthy && (!vm.running || powered.get(vm.vmid)?.isReady !== true))
      throw new Broken('status', `status calls the cluster healthy, and ${name} is not ready (${ready})`)
  }
  if (healthy && machines.some(({ vmid }) => vmid === null))
    throw new Broken('status', 'a healthy cluster lacks machines')
}

function isRenamed({ site }: Book, vmid: number): boolean {
  return stateOf(site.lab).vms[String(vmid)]?.config.name === 'renamed'
}

/** After `destroy` said that nothing is left: nothing is, but images. */
export function judgeGone(book: Book, foreign: Foreign): void {
  const left = ownVms(book, foreign)
    .filter(({ vmid }) => !book.disowned.has(vmid))
    .map((vm) => `${vm.vmid} ${nameOf(vm)}`)
  if (left.length > 0) throw new Broken('left-behind', `VMs ${left.join(', ')}`)
  judgeVolumes(book, foreign)
  judgePools(book, [givenPool])
  const leases = Object.keys(stateOf(book.site.lab).pools).filter((id) => id.includes('/'))
  if (leases.length > 0) throw new Broken('left-behind', `pools ${leases.join(', ')}`)
}

/** What a killed worker leaves (a lock and nothing else) only root can remove. */
function ownVms({ site, madeByHand, wereTasksKilled }: Book, foreign: Foreign): SeenVm[] {
  return Object.values(stateOf(site.lab).vms)
    .filter(({ vmid }) => !foreign.vms.has(vmid) && !madeByHand.has(vmid))
    .filter(({ config }) => !(wereTasksKilled && config.lock !== undefined && config.smbios1 === undefined))
}

/** Every volume belongs to a VM that exists, or is an image; no config of a machine lies around. */
function judgeVolumes({ site, madeByHand, wereTasksKilled, lostHosts }: Book, foreign: Foreign): void {
  const { vms, volumes } = stateOf(site.lab)
  for (const [key, { volid, content, vmid }] of Object.entries(volumes)) {
    // What was on a host that was lost for ever comes back with it.
    if ([...lostHosts].some((host) => key.startsWith(`${host}|`))) continue
    if (foreign.volumes.has(key)) continue
    if (['import', 'iso'].includes(content) && /talos|metal|nocloud/.test(volid)) continue
    if (vmid !== undefined && (vms[String(vmid)] !== undefined || madeByHand.has(vmid))) {
      if (holdsVolume(vms[String(vmid)], volid) || wereTasksKilled) continue
    }
    // A copy that somebody made of a half-made machine has its medium in the drive, too.
    if ([...madeByHand].some((copy) => holdsVolume(vms[String(copy)], volid))) continue
    throw new Broken('orphan', `volume ${key} (${content}) belongs to nothing`)
  }
}

function holdsVolume(vm: SeenVm | undefined, volid: string): boolean {
  return Object.values(vm?.config ?? {}).some((value) => value.includes(volid))
}

function judgePools({ site }: Book, allowed: readonly string[]): void {
  const pools = Object.keys(stateOf(site.lab).pools).filter((id) => !allowed.includes(id.split('/')[0] ?? ''))
  const leases = Object.keys(stateOf(site.lab).pools).filter((id) => /\/lease-\d+$/.test(id))
  if (pools.length > 0) throw new Broken('orphan', `pools ${pools.join(', ')}`)
  // A lease that its successor could not delete goes with the next change.
  if (leases.length > 2) throw new Broken('orphan', `leases ${leases.join(', ')}`)
}
