import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { SavedLab } from '../../src/lab/index.js'
import { ended } from '../cli/ichor.js'
import { clusterYaml } from './lab.js'
import { bootstrapsAmong, whatWasSaved } from './left-behind.js'
import { countMutating, inWorkshop, plainInventory, succeeds, type Workshop } from './workshop.js'

const sealedInventory = clusterYaml({ workers: 1 })

/** A life of the cluster that nobody disturbs: what a disturbed one must end with. */
export interface Undisturbed {
  readonly yaml: string
  readonly callsOfUp: number
  readonly callsOfDestroy: number
  readonly built: SavedLab
  readonly gone: SavedLab
  readonly secrets: string
}

export async function liveUndisturbed(yaml = plainInventory): Promise<Undisturbed> {
  return inWorkshop({ yaml }, async ({ lab, ichor, secrets }) => {
    await succeeds(ichor('up', '--lab', '--yes'))
    const callsOfUp = await countMutating(lab)
    const built = await lab.save()
    const kept = secrets()
    await succeeds(ichor('destroy', '--lab', '--yes'))
    const callsOfDestroy = (await countMutating(lab)) - callsOfUp
    return { yaml, callsOfUp, callsOfDestroy, built, gone: await lab.save(), secrets: kept }
  })
}

/** Killed for good at the Nth mutating call of a creation; the next `up` ends with the same cluster. */
export async function killCreation(nth: number, { built, secrets }: Undisturbed): Promise<void> {
  const fresh = secrets.replace('bootstrapped: true', 'bootstrapped: false')
  await inWorkshop({ secrets: fresh }, async (workshop) => {
    const { lab, ichor } = workshop
    await isKilledAt(nth, workshop, 'up')
    await succeeds(ichor('up', '--lab', '--yes'))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    expect(whatWasSaved(await lab.save())).toEqual(whatWasSaved(built))
    expect(bootstrapsAmong(await lab.ledger())).toBe(1)
    expect(workshop.secrets()).toBe(secrets)
  })
}

/** Killed for good at the Nth mutating call of a destruction; the next `destroy` leaves nothing behind. */
export async function killDestruction(nth: number, { built, gone, secrets }: Undisturbed): Promise<void> {
  await inWorkshop({ secrets, saved: built }, async (workshop) => {
    await isKilledAt(nth, workshop, 'destroy')
    await succeeds(workshop.ichor('destroy', '--lab', '--yes'))
    expect(whatWasSaved(await workshop.lab.save())).toEqual(whatWasSaved(gone))
  })
}

/** Killed for good at the Nth mutating call of an evacuation; the next `up` finishes it. */
export async function killEvacuation(nth: number, { built, secrets }: Undisturbed): Promise<void> {
  await inWorkshop({ secrets, saved: built }, async (workshop) => {
    const { lab, ichor } = workshop
    await isKilledAt(nth, workshop, 'evacuate', 'pve1')
    await succeeds(ichor('up', '--lab', '--yes'))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    const { vms } = whatWasSaved(await lab.save())
    expect(vms).toHaveLength(whatWasSaved(built).vms.length)
    expect(vms.filter((vm) => vm.split(' ')[1] === 'pve1')).toEqual([])
  })
}

/** All that is left of a cluster: the repository, the age key and a snapshot. */
export interface LostCluster {
  readonly callsOfRestore: number
  readonly callsOfReplacement: number
  /** The lab as it was when the cluster stood. */
  readonly built: SavedLab
  readonly snapshot: string
  /** Every object that the snapshot holds. */
  readonly objects: ReadonlyMap<string, unknown>
  /** A copy of the folder. */
  readonly folder: string
  forget(): void
}

/** A cluster that was backed up and lost with all its hosts. */
export async function loseCluster(): Promise<LostCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-lost-'))
  const { snapshot, built, objects } = await inWorkshop({ yaml: sealedInventory }, async (workshop) => {
    const { desk, lab, ichor } = workshop
    await succeeds(ichor('up', '--lab', '--yes'))
    const before = await workshop.objects()
    const { stdout } = await desk.ichor(['backup', '--lab', '--json'])
    cpSync(desk.folder, folder, { recursive: true, filter: (path) => !/\/(\.lab|\.ichor)$/.test(path) })
    const name: string = JSON.parse(stdout.trim().split('\n').at(-1) ?? '').snapshot.name
    return { snapshot: name, built: await lab.save(), objects: before }
  })
  const callsOf = (given: { folder: string; saved?: SavedLab }, ...flags: string[]) =>
    inWorkshop(given, async ({ lab, ichor }) => {
      await succeeds(ichor('restore', snapshot, '--lab', '--yes', ...flags))
      return countMutating(lab)
    })
  const callsOfRestore = await callsOf({ folder })
  const callsOfReplacement = await callsOf({ folder, saved: built }, '--over-healthy')
  const forget = () => rmSync(folder, { recursive: true, force: true })
  return { callsOfRestore, callsOfReplacement, built, snapshot, objects, folder, forget }
}

/** Killed for good at the Nth mutating call of a restore; until the next one has finished it, `up` makes no other etcd. */
export async function killRestore(nth: number, lost: LostCluster): Promise<void> {
  await inWorkshop({ folder: lost.folder }, (workshop) => killAndFinish(nth, workshop, lost))
}

/** The same over a cluster that is well. */
export async function killReplacement(nth: number, lost: LostCluster): Promise<void> {
  const { folder, built: saved } = lost
  await inWorkshop({ folder, saved }, (workshop) => killAndFinish(nth, workshop, lost, '--over-healthy'))
}

async function killAndFinish(
  nth: number,
  workshop: Workshop,
  { snapshot, objects }: LostCluster,
  ...flags: string[]
): Promise<void> {
  const { lab, ichor } = workshop
  await isKilledAt(nth, workshop, 'restore', snapshot, ...flags)
  const up = await ichor('up', '--lab', '--yes')
  const isUntouched = (await lab.ledger()).every(({ event }) => event !== 'etcd.bootstrapped') && up.code === 0
  if (up.code !== 0 || isUntouched) {
    expect([0, 3], up.stderr.slice(-2000)).toContain(up.code)
    await succeeds(ichor('restore', snapshot, '--lab', '--yes', ...flags))
  }
  await succeeds(ichor('plan', '--lab', '--exit-code'))
  const made = (await lab.ledger()).filter(({ event }) => event === 'etcd.bootstrapped')
  expect(made.map(({ detail }) => detail?.recovered)).toEqual([true])
  const now = await workshop.objects()
  // Workers that ran through it were drained, so that their pods were made again elsewhere.
  const lasting = [...objects].filter(([key]) => flags.length === 0 || !key.startsWith('/registry/pods/'))
  const differing = lasting.filter(([key, object]) => JSON.stringify(now.get(key)) !== JSON.stringify(object))
  const changes = differing.map(([key, object]) => `${key}: ${JSON.stringify([object, now.get(key)])}`)
  expect(changes, changes.join('\n')).toEqual([])
}

/** A cluster that stands, and how many calls a verb makes on it. */
export interface StandingCluster {
  readonly calls: number
  readonly built: SavedLab
  readonly folder: string
  forget(): void
}

const drilledInventory = clusterYaml({
  controlPlanes: 1,
  workers: 0,
  extra: "drill: { bridge: vmbr9, address: 10.99.0.10, mirror: 'http://10.99.0.2:5000' }\n",
})

/** A cluster with a snapshot and a bridge for drills. */
export async function drillCluster(): Promise<StandingCluster> {
  const before = [
    ['up', '--lab', '--yes'],
    ['backup', '--lab'],
  ]
  return standAndCount(drilledInventory, before, ['drill', '--lab', '--yes'])
}

async function standAndCount(
  yaml: string,
  commands: readonly (readonly string[])[],
  verb: readonly string[],
): Promise<StandingCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-standing-'))
  return inWorkshop({ yaml }, async ({ desk, lab, ichor }) => {
    for (const words of commands) {
      // An upgrade that pauses has something left to do.
      const { code, stderr } = await ichor(...words)
      expect(code, stderr.slice(-2000)).toBe(words.includes('--pause-after') ? 4 : 0)
    }
    cpSync(desk.folder, folder, { recursive: true, filter: (path) => !/\/(\.lab|\.ichor)$/.test(path) })
    const built = await lab.save()
    const before = await countMutating(lab)
    await succeeds(ichor(...verb))
    const calls = (await countMutating(lab)) - before
    const forget = () => rmSync(folder, { recursive: true, force: true })
    return { calls, built, folder, forget }
  })
}

/** Killed for good at the Nth mutating call of a drill: whichever run comes next leaves nothing of it. */
export async function killDrill(nth: number, { built, folder }: StandingCluster): Promise<void> {
  const next = ['drill', 'up', 'destroy'][nth % 3] ?? 'drill'
  await inWorkshop({ folder, saved: built }, async (workshop) => {
    const { lab, ichor } = workshop
    await isKilledAt(nth, workshop, 'drill')
    await succeeds(ichor(next, '--lab', '--yes'))
    const left = whatWasSaved(await lab.save())
    expect({ next, ofDrill: [...left.vms, ...left.pools].filter((name) => name.includes('drill')) }).toEqual({
      next,
      ofDrill: [],
    })
    if (next === 'destroy') return
    expect(left).toEqual(whatWasSaved(built))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    const made = (await lab.ledger()).filter(({ event }) => event === 'etcd.bootstrapped')
    expect(made.every(({ detail }) => detail?.recovered === true)).toBe(true)
  })
}

/** Killed for good at the Nth mutating call of an upgrade of Talos; the next `up` finishes it. */
export async function killUpgrade(nth: number): Promise<void> {
  await inWorkshop({ yaml: sealedInventory.replace('v1.13.9', 'v1.13.8') }, async (workshop) => {
    const { ichor, desk } = workshop
    await succeeds(ichor('up', '--lab', '--yes'))
    await isKilledAt(nth, workshop, 'upgrade', '--talos', 'v1.13.9')
    await succeeds(ichor('up', '--lab', '--yes'))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    const { stdout } = await desk.ichor(['status', '--lab', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ healthy: true, roll: null, talos_version: 'v1.13.9', drift: [] })
  })
}

const versions = { before: 'v1.13.8', after: 'v1.13.9' }

/** A cluster whose upgrade of Talos was stopped after its first machine. */
export async function halfUpgradedCluster(): Promise<StandingCluster> {
  const yaml = sealedInventory.replace(versions.after, versions.before)
  const before = [
    ['up', '--lab', '--yes'],
    ['upgrade', '--talos', versions.after, '--pause-after', '1', '--lab', '--yes'],
  ]
  return standAndCount(yaml, before, ['upgrade', '--rollback', '--talos', versions.before, '--lab', '--yes'])
}

/** Killed for good at the Nth mutating call of the way back; the next `up` finishes it. */
export async function killRollback(nth: number, { built, folder }: StandingCluster): Promise<void> {
  await inWorkshop({ folder, saved: built }, async (workshop) => {
    const { ichor, desk } = workshop
    const back = ['--rollback', '--talos', versions.before]
    await isKilledAt(nth, workshop, 'upgrade', ...back)
    await succeeds(ichor('upgrade', ...back, '--lab', '--yes'))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    const { stdout } = await desk.ichor(['status', '--lab', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: true,
      roll: null,
      talos_version: versions.before,
      drift: [],
    })
  })
}

/** Killed for good at the Nth mutating call of a verb on the standing cluster; the next `up` finishes what was written down. */
export async function killVerb(
  words: readonly string[],
  nth: number,
  { yaml, built, secrets }: Undisturbed,
  happen: (workshop: Workshop) => Promise<void> = async () => {},
): Promise<void> {
  const [verb = '', ...rest] = words
  await inWorkshop({ yaml, secrets, saved: built }, async (workshop) => {
    await happen(workshop)
    await isKilledAt(nth, workshop, verb, ...rest)
    await succeeds(workshop.ichor('up', '--lab', '--yes'))
    await succeeds(workshop.ichor('plan', '--lab', '--exit-code'))
  })
}

/** The same with an `up` after the inventory was edited. */
export async function killUp(nth: number, life: Undisturbed, edit: (yaml: string) => string): Promise<void> {
  const edited = edit(life.yaml)
  expect(edited).not.toBe(life.yaml)
  await killVerb(['up'], nth, { ...life, yaml: edited })
}

/** A host dies, and root on another one makes Proxmox forget its VMs. */
export async function loseHost(host: string, { lab }: Workshop): Promise<void> {
  const { proxmox } = await lab.save()
  const lost = Object.values(proxmox.state.vms).filter((vm) => vm.host === host)
  expect(lost.length).toBeGreaterThan(0)
  await lab.fault('host-offline', { host })
  for (const { vmid } of lost) await lab.fault('remove-vm-file', { vmid })
}

/** Killed for good at the Nth mutating call of `image prune`: the next one deletes the rest, and nothing else. */
export async function killPrune(nth: number, { built, folder }: StandingCluster): Promise<void> {
  await inWorkshop({ folder, saved: built }, async (workshop) => {
    const { desk, ichor } = workshop
    await isKilledAt(nth, workshop, 'image', 'prune')
    await succeeds(ichor('image', 'prune', '--lab', '--yes', '--force-unlock'))
    const { stdout } = await desk.ichor(['image', 'list', '--lab', '--json'])
    const { images } = JSON.parse(stdout) as { images: { used_by: string[] }[] }
    expect(images.filter(({ used_by }) => used_by.length === 0)).toEqual([])
    await succeeds(ichor('plan', '--lab', '--exit-code'))
  })
}

/** A cluster that has images of an older Talos on every host. */
export async function pruneCluster(): Promise<StandingCluster> {
  const yaml = clusterYaml({ controlPlanes: 3, workers: 0 }).replace('v1.13.9', 'v1.13.8')
  const before = [
    ['up', '--lab', '--yes'],
    ['upgrade', '--talos', 'v1.13.9', '--lab', '--yes'],
  ]
  return standAndCount(yaml, before, ['image', 'prune', '--lab', '--yes'])
}

/** Killed for good at the Nth mutating call of a rotation: nobody is locked out, and the same verb finishes it. */
export async function killRotation(nth: number, what: string, { yaml, built, secrets }: Undisturbed): Promise<void> {
  await inWorkshop({ yaml, secrets, saved: built }, async (workshop) => {
    const { ichor, desk } = workshop
    await isKilledAt(nth, workshop, 'secrets', 'rotate', what)
    expect(workshop.secrets()).toMatch(/phase: (accept|issue|renew|drop)/)
    const { stdout } = await desk.ichor(['status', '--lab', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ notes: [expect.stringContaining(`ichor secrets rotate ${what}`)] })
    await succeeds(ichor('secrets', 'rotate', what, '--lab', '--yes'))
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    expect(workshop.secrets()).toContain('phase: done')
  })
}

async function isKilledAt(nth: number, { desk, lab }: Workshop, verb: string, ...words: string[]): Promise<void> {
  await lab.fault('kill-caller', { nth })
  const before = await countMutating(lab)
  const child = desk.start([verb, ...words, '--lab', '--yes'])
  const { stderr } = await ended(child)
  const made = (await countMutating(lab)) - before
  await lab.clearFaults()
  // Which steps meet differs from run to run, and with it the number of calls by one or two.
  if (child.exitCode === 0 && made < nth) return
  expect(child.signalCode, `call ${nth} of ${verb} killed nobody:\n${stderr.slice(-1000)}`).toBe('SIGKILL')
}
