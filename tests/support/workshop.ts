import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { connect } from '../../src/connect.js'
import { loadInventory } from '../../src/inventory/index.js'
import { controlLab, findLab, type LabControl, type SavedLab } from '../../src/lab/index.js'
import type { World } from '../../src/world.js'
import { aDesk, type Desk, ended } from '../cli/ichor.js'
import { objectsInEtcd } from './etcd-objects.js'
import { clusterYaml } from './lab.js'

const speed = '500'
const secretsFile = 'secrets.lab.yaml'
export const plainInventory = clusterYaml({ extra: 'secrets: plain\n' })

/** A lab as a process of its own, and a desk at which the built ichor is run against it. */
export interface Workshop {
  readonly desk: Desk
  readonly lab: LabControl
  ichor(...words: string[]): Promise<{ code: number | null; stderr: string }>
  secrets(): string
  /** What etcd holds now. */
  objects(): Promise<Map<string, unknown>>
  /** By the product's own clients. */
  inWorld<T>(use: (world: World) => Promise<T>): Promise<T>
}

export async function inWorkshop<T>(
  given: { secrets?: string; saved?: SavedLab; yaml?: string; folder?: string },
  work: (workshop: Workshop) => Promise<T>,
): Promise<T> {
  const desk = aDesk()
  desk.write('cluster.yaml', given.yaml ?? plainInventory)
  if (given.folder !== undefined) cpSync(given.folder, desk.folder, { recursive: true })
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
      objects: () => inWorldAt(desk, objectsInEtcd),
      inWorld: (use) => inWorldAt(desk, use),
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

async function inWorldAt<T>({ folder, env }: Desk, use: (world: World) => Promise<T>): Promise<T> {
  const info = await findLab(env)
  if (info === undefined) throw new Error('there is no lab')
  const { endpoint, token_id, token_secret, fingerprint, socks, factory, speed } = info
  const lab = { endpoint, tokenId: token_id, tokenSecret: token_secret, fingerprint, socks, factory, speed }
  const { world, close } = await connect(await loadInventory(folder, { env: {} }), { env, notify: () => {}, lab })
  return use(world).finally(close)
}

/** The command ended with 0. */
export async function succeeds(run: Promise<{ code: number | null; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  expect(code, stderr.slice(-2000)).toBe(0)
}

export async function countMutating(lab: LabControl): Promise<number> {
  return (await lab.ledger()).filter(({ event, mutating }) => event === 'call' && mutating).length
}
