import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewEvent, RunEvent } from '../events/event.js'
import { followJournal, Journals } from './journals.js'

let folder: string
let journal: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-journals-'))
  await mkdir(join(folder, '.ichor', 'journal'), { recursive: true })
  journal = join(folder, '.ichor', 'journal', '2026-11-19T10-00-00.000Z-abc.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (second: number) => `2026-11-19T10:00:${String(second).padStart(2, '0')}.000Z`
const step = { id: 'start:a', kind: 'start-machine', title: 'start a', after: [] }
const news: NewEvent[] = [
  { type: 'run.noted', at: at(0), text: 'waiting', severity: 'info' },
  { type: 'run.started', at: at(5), version: 1, cluster: 'dev', goal: 'up', changes: 1, steps: [step] },
  { type: 'step.started', at: at(6), step: step.id, attempt: 1 },
  { type: 'step.finished', at: at(8), step: step.id, ms: 2000, outcome: 'done' },
  { type: 'run.finished', at: at(9), outcome: 'done', changed: 1, ms: 80_000, failed: [], next: [] },
]
const events: RunEvent[] = news.map((event, index) => ({ ...event, run: 'r', seq: index + 1 }))
const lines = (some: readonly RunEvent[]) => some.map((event) => `${JSON.stringify(event)}\n`).join('')

test('a run is summed up from its journal, by the clock on the wall', async () => {
  await writeFile(journal, lines(events))
  expect(await new Journals(folder).list()).toEqual([
    {
      id: '2026-11-19T10-00-00.000Z-abc',
      goal: 'up',
      started: at(5),
      last: at(9),
      outcome: 'done',
      ms: 4000,
      changed: 1,
      steps: 1,
      done: 1,
      failed: 0,
    },
  ])
})

test('a run without an end has no outcome, and a line that a kill cut off is skipped', async () => {
  await writeFile(journal, `${lines(events.slice(0, 3))}{"type":"step.fin`)
  expect(await new Journals(folder).list()).toMatchObject([{ outcome: null, ms: null, last: at(6), done: 0 }])
})

test('no name leads out of the folder, and no link is followed', async () => {
  await writeFile(join(folder, 'other.jsonl'), lines(events))
  await symlink(join(folder, 'other.jsonl'), journal)
  const journals = new Journals(folder)
  expect(await journals.list()).toEqual([])
  for (const id of ['../../other', '..', '', '/etc/passwd', '2026-11-19T10-00-00.000Z-abc'])
    expect(await journals.find(id)).toBeUndefined()
})

test('a follower gets each event once: those after the number that it knows, then those that are written', async () => {
  await writeFile(journal, lines(events.slice(0, 3)))
  const stop = new AbortController()
  const seen: number[] = []
  const half = lines(events.slice(3, 4))
  for await (const { seq } of followJournal(journal, 1, stop.signal)) {
    seen.push(seq)
    // A line that is written in two parts, and the end.
    if (seq === 3)
      void appendFile(journal, half.slice(0, 20)).then(() =>
        appendFile(journal, half.slice(20) + lines(events.slice(4))),
      )
    if (seq === 5) stop.abort()
  }
  expect(seen).toEqual([2, 3, 4, 5])
})

test('of a journal that has grown only what is new is read, and one that was replaced is read from its start', async () => {
  const begun = `${lines(events.slice(0, 3))}{"type":"step.fin`
  await writeFile(journal, begun)
  const journals = new Journals(folder)
  expect(await journals.list()).toMatchObject([{ goal: 'up', steps: 1, outcome: null }])
  // What was read is gone from the file: the sum still has it.
  const [rest = ''] = lines(events.slice(3, 4)).split('{"type":"step.fin').slice(1)
  await writeFile(journal, ' '.repeat(begun.length) + rest + lines(events.slice(4)))
  expect(await journals.list()).toMatchObject([{ goal: 'up', steps: 1, done: 1, outcome: 'done' }])
  await writeFile(journal, lines(events.slice(0, 2)))
  expect(await journals.list()).toMatchObject([{ goal: 'up', steps: 1, done: 0, outcome: null }])
})
