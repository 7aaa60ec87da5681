import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RotationTarget } from '../../src/cluster/rotation.js'
import { anInventoryFolder, aStage, type Change, clusterYaml, mutatingCalls, type Stage } from './lab.js'
import { bootstraps, whatIsThere } from './left-behind.js'
import { oneIn } from './sample.js'
import { rotate } from './verbs.js'

const speed = 2000
const threeAndTwo: Site = { files: { 'cluster.yaml': clusterYaml({ extra: 'secrets: plain\n' }) } }
const secretsFile = 'secrets.lab.yaml'
/** How many labs run side by side. */
const atOnce = 4

/** What is built, and on what. */
export type Site = Pick<Parameters<typeof aStage>[0], 'files' | 'topology' | 'pve'>

export type Disturbance = 'kill-caller' | 'drop-answer'

/** An undisturbed life of the cluster: how many calls there are to be killed at, and what is there in between. */
export interface Undisturbed {
  readonly site: Site
  readonly callsOfUp: number
  readonly callsOfDestroy: number
  readonly built: ReturnType<typeof whatIsThere>
  readonly gone: ReturnType<typeof whatIsThere>
  /** The lab as it was when the cluster stood. */
  readonly standing: ReturnType<Stage['lab']['save']>
  readonly secrets: string
}

export async function liveUndisturbed(site = threeAndTwo): Promise<Undisturbed> {
  const folder = await anInventoryFolder(site.files)
  const stage = await aStage({ speed, ...site, folder })
  try {
    await stage.up()
    const callsOfUp = mutatingCalls(stage.lab).length
    const built = whatIsThere(stage.lab)
    const standing = stage.lab.save()
    const secrets = await readFile(join(folder, secretsFile), 'utf8')
    await stage.destroy()
    const callsOfDestroy = mutatingCalls(stage.lab).length - callsOfUp
    return { site, callsOfUp, callsOfDestroy, built, gone: whatIsThere(stage.lab), standing, secrets }
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The Nth call of a creation is disturbed; the next `up` must end with the same cluster and nothing too many. */
export async function disturbCreation(
  nth: number,
  disturbance: Disturbance,
  { site, built, secrets }: Undisturbed,
): Promise<boolean> {
  return onStage({ site, secrets: secrets.replace('bootstrapped: true', 'bootstrapped: false') }, async (stage) => {
    const isStruck = await disturb(stage, nth, disturbance, () => stage.up())
    // `up` is done only when a fresh look leaves nothing to plan.
    expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(whatIsThere(stage.lab)).toEqual(built)
    expect(bootstraps(stage.lab)).toBe(1)
    expect(withoutMemory(await readFile(join(stage.folder, secretsFile), 'utf8'))).toBe(withoutMemory(secrets))
    return isStruck
  })
}

/** The Nth call of a destruction is disturbed; the next `destroy` must leave nothing behind. */
export async function disturbDestruction(
  nth: number,
  disturbance: Disturbance,
  { site, gone, standing, secrets }: Undisturbed,
): Promise<boolean> {
  return onStage({ site, secrets, resume: standing }, async (stage) => {
    const isStruck = await disturb(stage, nth, disturbance, () => stage.destroy())
    await stage.destroy({ forceUnlock: true })
    expect(whatIsThere(stage.lab)).toEqual(gone)
    return isStruck
  })
}

/** The cluster after a verb, to be disturbed by the next one. */
export async function standingAfter(
  change: Change,
  { site, standing, secrets, ...rest }: Undisturbed,
): Promise<Undisturbed> {
  let after = { site, standing, secrets }
  await onStage({ site, secrets, resume: standing }, async (stage) => {
    await stage.up({ change })
    const read = (file: string) => readFile(join(stage.folder, file), 'utf8')
    const files = { ...site.files, 'cluster.yaml': await read('cluster.yaml') }
    after = { site: { ...site, files }, standing: stage.lab.save(), secrets: await read(secretsFile) }
    return true
  })
  return { ...rest, ...after }
}

/** A verb on the standing cluster, undisturbed: how many calls there are to be killed at. */
export async function countCalls(change: Change, { site, standing, secrets }: Undisturbed): Promise<number> {
  let calls = 0
  await onStage({ site, secrets, resume: standing }, async (stage) => {
    await stage.up({ change })
    calls = mutatingCalls(stage.lab).length
    return true
  })
  return calls
}

/** The Nth call of a verb is disturbed: what it wrote down is finished by the next `up`, and what it did not is not begun. */
async function disturbVerb(
  nth: number,
  disturbance: Disturbance,
  change: Change,
  { site, standing, secrets }: Undisturbed,
  judge?: Judge,
): Promise<boolean> {
  return onStage({ site, secrets, resume: standing }, async (stage) => {
    const isStruck = await disturb(stage, nth, disturbance, () => stage.up({ change }))
    expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    const { observed } = await stage.plan()
    const { machines } = await stage.inventory()
    expect(observed.machines.map(({ name }) => name).sort()).toEqual(machines.map(({ name }) => name).sort())
    expect(observed.machines.filter(({ mark }) => mark.more?.replace ?? mark.more?.reboot)).toEqual([])
    expect(bootstraps(stage.lab)).toBe(0)
    expect(stage.lab.availability.etcdOutages()).toEqual([])
    await judge?.(stage)
    return isStruck
  })
}

/** What else must be so in the end. */
type Judge = (stage: Stage) => Promise<void>

/** The verb is killed at every third of its calls, or at so many of them. Gives what went wrong. */
export async function killAtCalls(
  change: Change,
  undisturbed: Undisturbed,
  most = Number.POSITIVE_INFINITY,
  judge?: Judge,
): Promise<string[]> {
  const calls = await countCalls(change, undisturbed)
  expect(calls).toBeGreaterThanOrEqual(5)
  // One lab at a time: they come from one save, and so want the same port for the factory.
  const kill = (nth: number) => disturbVerb(nth, 'kill-caller', change, undisturbed, judge)
  return forEveryCall(calls, kill, { oneIn: oneIn(Math.max(3, Math.ceil(calls / most))), sideBySide: 1 })
}

/** A shutdown and the way back, undisturbed: how many calls each has, and the lab in between. */
export async function shutDownUndisturbed({ site, standing, secrets }: Undisturbed) {
  let found = { calls: 0, callsBack: 0, standing }
  await onStage({ site, secrets, resume: standing }, async (stage) => {
    await stage.shutDown({ withGuests: true })
    const calls = mutatingCalls(stage.lab).length
    const off = stage.lab.save()
    await stage.up()
    found = { calls, callsBack: mutatingCalls(stage.lab).length - calls, standing: off }
    return true
  })
  return found
}

/** The Nth call of a shutdown, or of the way back, is disturbed: the same run again finishes it, or `up` undoes it. */
export async function disturbShutdown(
  nth: number,
  next: 'shutdown' | 'up' | 'way back',
  { site, standing, secrets }: Undisturbed,
): Promise<boolean> {
  return onStage({ site, secrets, resume: standing }, async (stage) => {
    const everything = { withGuests: true, forceUnlock: true }
    const isStruck = await disturb(stage, nth, 'kill-caller', () =>
      next === 'way back' ? stage.up() : stage.shutDown(everything),
    )
    const vms = () => Object.values(stage.lab.proxmox.save().state.vms)
    if (next === 'shutdown') {
      expect((await stage.shutDown(everything)).outcome).toMatch(/^(done|nothing-to-do)$/)
      expect(vms().filter(({ running }) => running)).toEqual([])
      expect(await stage.shutDown({ withGuests: true })).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    }
    expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    expect(vms().filter(({ running }) => !running)).toEqual([])
    const { observed } = await stage.plan()
    expect(observed.machines.flatMap(({ mark }) => mark.more?.shutdown ?? [])).toEqual([])
    expect(bootstraps(stage.lab)).toBe(0)
    return isStruck
  })
}

/** The Nth call of a rotation is disturbed: an `up` in between gets in and keeps the phase, and the same verb finishes it. */
export async function disturbRotation(
  nth: number,
  disturbance: Disturbance,
  what: RotationTarget,
  { site, standing, secrets }: Undisturbed,
): Promise<boolean> {
  return onStage({ site, secrets, resume: standing }, async (stage) => {
    const phase = async () => /phase: (\w+)/.exec(await readFile(join(stage.folder, secretsFile), 'utf8'))?.[1]
    const isStruck = await disturb(stage, nth, disturbance, () => stage.up({ change: rotate(what) }))
    const found = await phase()
    expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(await phase()).toBe(found)
    expect(await stage.up({ change: rotate(what), forceUnlock: true })).toMatchObject({ outcome: 'done' })
    expect(await phase()).toBe('done')
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    expect(stage.lab.availability.etcdOutages()).toEqual([])
    return isStruck
  })
}

/** Runs the story for every call number, or for one in so many, a few of them at a time, and gives what went wrong. */
export async function forEveryCall(
  count: number,
  story: (nth: number) => Promise<unknown>,
  { oneIn = 1, sideBySide = atOnce }: { readonly oneIn?: number; readonly sideBySide?: number } = {},
): Promise<string[]> {
  const failures: string[] = []
  const numbers = Array.from({ length: Math.ceil(count / oneIn) }, (_, index) => index * oneIn + 1)
  const worker = async () => {
    for (let nth = numbers.shift(); nth !== undefined; nth = numbers.shift()) {
      await story(nth).catch((error: unknown) =>
        failures.push(`call ${nth}: ${error instanceof Error ? error.message : error}`),
      )
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, worker))
  return failures
}

/** Secrets are made already: a key takes seconds to make, and nothing about it is disturbed here. */
async function onStage(
  { site, secrets, ...lab }: { site: Site; secrets: string; resume?: Undisturbed['standing'] },
  story: (stage: Stage) => Promise<boolean>,
): Promise<boolean> {
  const folder = await anInventoryFolder({ ...site.files, [secretsFile]: secrets })
  const stage = await aStage({ speed, ...site, folder, ...lab })
  try {
    const isStruck = await story(stage)
    expect(stage.lab.proxmox.unknown()).toEqual([])
    return isStruck
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether there was an Nth call this time: how often a node is asked until it is ready differs from run to run. */
async function disturb(stage: Stage, nth: number, kind: Disturbance, run: () => Promise<unknown>): Promise<boolean> {
  stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind } })
  await run().catch(() => undefined)
  const isStruck = stage.lab.faults.list().some(({ hits }) => hits === 1)
  stage.lab.faults.clear()
  return isStruck
}

function withoutMemory(text: string): string {
  return text.replace(/bootstrapped: \w+/, '')
}
