import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../../../tests/support/lab.js'
import { emptyMemory } from '../../watch/memory.js'
import { planFileText } from '../approved-plan.js'
import { up } from '../goals.js'
import { previewRun } from '../preview.js'
import type { Session } from '../session.js'
import { act, findIntent, type WatchActing } from './act.js'

const { signal } = new AbortController()
const night = 'watch: { apply: true, window: [{ cron: "0 2 * * *", for: 1h }] }\n'
const withCpu = (cpu: number) =>
  clusterYaml({ controlPlanes: 1, workers: 2, extra: night }).replace('worker: { cpu: 2', `worker: { cpu: ${cpu}`)
let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': withCpu(2) } })
  await stage.up()
})
afterAll(() => stage.close())

async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const connected = await stage.connect()
  const silent = { notify: () => {}, onNotice: () => {} }
  try {
    return await work({ ...connected, ...silent, inventory: await stage.inventory(), env: {} })
  } finally {
    await connected.close()
  }
}

const restarts = () => mutatingCalls(stage.lab).filter((call) => /status\/start$/.test(call)).length
const inIt = Date.parse('2026-11-19T02:30:00Z')

/** What `ichor plan --out` writes; returns the digest of the plan. */
async function approve(name: string): Promise<string> {
  return withSession(async (session) => {
    const plan = await previewRun(session, { goal: up, signal })
    const secrets = await session.world.secrets.find()
    const place = { isLab: session.lab !== undefined }
    const text = await planFileText(plan, { madeFrom: session.inventory, secrets, lease: 1, place })
    await mkdir(join(stage.folder, 'approvals'), { recursive: true })
    await writeFile(join(stage.folder, 'approvals', name), text)
    return plan.digest
  })
}

test('at the end of the window the machine at hand is finished, and the next one is left alone', async () => {
  await stage.write('cluster.yaml', withCpu(1))
  const inventory = await stage.inventory()
  const digest = await approve('tonight.json')
  const after = Date.parse('2026-11-19T03:00:00Z')
  const before = restarts()
  const acting: WatchActing = {
    allowsCommands: false,
    now: () => (restarts() > before ? after : inIt),
    withSession: (_, work) => withSession(work),
  }
  const memory = { ...emptyMemory('dev'), plan: { digest, since: 0 } }
  const intent = await findIntent(inventory, memory, acting)
  expect(intent.events.map(({ type }) => type)).toEqual(['window.opened', 'plan.approved'])
  if (intent.approved === undefined) throw new Error('nothing is approved')

  const { events, memory: known } = await act(inventory, intent.approved, intent.memory, acting, signal)
  expect(events).toMatchObject([{ type: 'plan.stopped', problem: 'It is applied in part: the window is over.' }])
  const { plan } = await stage.plan()
  const left = titlesOf(plan).join()
  expect([left.includes('dev-wk-1'), left.includes('dev-wk-2')].filter(Boolean)).toHaveLength(1)
  // No node was left drained.
  expect(left).not.toMatch(/uncordon/)

  const later = await findIntent(inventory, known, acting)
  expect(later.events.map(({ type }) => type)).toEqual(['window.closed'])
  expect(later.approved).toBeUndefined()
})

test('of two watches with the same approval, one carries it out', async () => {
  const digest = await approve('the-rest.json')
  const inventory = await stage.inventory()
  const acting: WatchActing = {
    allowsCommands: false,
    now: () => inIt,
    withSession: (_, work) => withSession(work),
  }
  const watching = async () => {
    const intent = await findIntent(inventory, { ...emptyMemory('dev'), plan: { digest, since: 0 } }, acting)
    if (intent.approved === undefined) throw new Error('nothing is approved')
    return act(inventory, intent.approved, intent.memory, acting, signal)
  }
  const before = restarts()
  const [one, other] = await Promise.all([watching(), watching()])
  const types = [...one.events, ...other.events].map(({ type }) => type)
  expect(types.toSorted()).toEqual(['plan.applied', 'plan.stopped'])
  expect(restarts() - before).toBe(1)
  expect(titlesOf((await stage.plan()).plan)).toEqual([])
})
