import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { controlLab, findLab, type LabControl, type SavedLab } from '../../src/lab/index.js'
import { aDesk, type Desk, ended } from '../cli/ichor.js'
import { clusterYaml } from './lab.js'
import { bootstrapsAmong, whatWasSaved } from './left-behind.js'

const speed = '500'
const secretsFile = 'secrets.lab.yaml'
const inventory = clusterYaml({ extra: 'secrets: plain\n' })

/** A lab as a process of its own, and a desk at which the built ichor is run against it. */
interface Workshop {
  readonly desk: Desk
  readonly lab: LabControl
  ichor(...words: string[]): Promise<{ code: number | null; stderr: string }>
  secrets(): string
}

/** A life of the cluster that nobody disturbs: what a disturbed one must end with. */
export interface Undisturbed {
  readonly callsOfUp: number
  readonly callsOfDestroy: number
  readonly built: SavedLab
  readonly gone: SavedLab
  readonly secrets: string
}

export async function liveUndisturbed(): Promise<Undisturbed> {
  return inWorkshop({}, async ({ lab, ichor, secrets }) => {
    await succeeds(ichor('up', '--lab', '--yes'))
    const callsOfUp = await countMutating(lab)
    const built = await lab.save()
    const kept = secrets()
    await succeeds(ichor('destroy', '--lab', '--yes'))
    const callsOfDestroy = (await countMutating(lab)) - callsOfUp
    return { callsOfUp, callsOfDestroy, built, gone: await lab.save(), secrets: kept }
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

async function isKilledAt(nth: number, { desk, lab }: Workshop, verb: 'up' | 'destroy'): Promise<void> {
  await lab.addFault({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
  const before = await countMutating(lab)
  const child = desk.start([verb, '--lab', '--yes'])
  const { stderr } = await ended(child)
  const made = (await countMutating(lab)) - before
  await lab.clearFaults()
  // Which steps meet differs from run to run, and with it the number of calls by one or two.
  if (child.exitCode === 0 && made < nth) return
  expect(child.signalCode, `call ${nth} of ${verb} killed nobody:\n${stderr.slice(-1000)}`).toBe('SIGKILL')
}

async function succeeds(run: Promise<{ code: number | null; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  expect(code, stderr.slice(-2000)).toBe(0)
}

async function countMutating(lab: LabControl): Promise<number> {
  return (await lab.ledger()).filter(({ event, mutating }) => event === 'call' && mutating).length
}

async function inWorkshop<T>(
  given: { secrets?: string; saved?: SavedLab },
  work: (workshop: Workshop) => Promise<T>,
): Promise<T> {
  const desk = aDesk()
  desk.write('cluster.yaml', inventory)
  if (given.secrets !== undefined) desk.write(secretsFile, given.secrets)
  const load = given.saved === undefined ? [] : ['--load', desk.write('saved.json', JSON.stringify(given.saved))]
  const child = desk.start(['lab', 'start', '-i', 'cluster.yaml', '--hosts', '3', '--speed', speed, ...load])
  const over = ended(child)
  try {
    return await work({
      desk,
      lab: await labOf(desk),
      ichor: (...words) => desk.ichor(words),
      secrets: () => readFileSync(join(desk.folder, secretsFile), 'utf8'),
    })
  } finally {
    if (child.exitCode === null) child.kill('SIGINT')
    await Promise.race([over, once(child, 'exit')])
    desk.clear()
  }
}

async function labOf({ env }: Desk): Promise<LabControl> {
  for (let tries = 0; tries < 600; tries++) {
    const info = await findLab(env)
    if (info !== undefined) return controlLab(info)
    await pause(50)
  }
  throw new Error('the lab did not start within 30 seconds')
}
