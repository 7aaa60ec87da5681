import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { findReason, knownTitles } from './known-differences.js'
import { recordedAgent } from './recorded-guest.js'
import { type RecordedLab, startRecordedLab } from './recorded-lab.js'
import { type Exchange, findRecordings, isAuthoritative, loadRecordings, type Recording } from './recording.js'
import { Replayer } from './replayer.js'
import { describeOutcomes, type Outcome } from './report.js'
import { restarts } from './restarts.js'
import { remove } from './unrecorded/actions.js'
import { unrecordedIn } from './unrecorded/unrecorded.js'

const folder = findRecordings()
const share = 0.85
const outcomes: Outcome[] = []

describe.skipIf(folder === undefined)('recorded exchanges', () => {
  test.each([8, 9] as const)('Proxmox VE %i', { timeout: 240_000 }, async (pve) => {
    const recordings = loadRecordings(folder ?? '', pve)
    const lab = await startRecordedLab(pve, recordings[0]?.exchanges[0]?.at ?? 0)
    const replayer = new Replayer(lab.sim, lab.clock, lab.filesUrl)
    await replayer.logIn()
    for (const recording of recordings) await replayFile(lab, replayer, recording)
    await lab.close()
    expect(
      lab.ledger
        .entries()
        .filter(({ event }) => event === 'bug')
        .map(({ subject }) => subject),
    ).toEqual([])
  })

  test('those that differ are those of the table', () => {
    const differing = outcomes
      .filter(({ difference }) => difference !== '')
      .map(({ file, title }) => `${file} | ${title}`)
    expect(differing.sort()).toEqual(knownTitles().sort())
  })

  test('enough of them agree', () => {
    const agreeing = outcomes.filter(({ difference }) => difference === '').length
    expect(agreeing / outcomes.length).toBeGreaterThanOrEqual(share)
  })

  afterAll(() => {
    console.log(describeOutcomes(outcomes, findReason))
    const file = process.env.ICHOR_TRANSCRIPT_REPORT
    if (file !== undefined)
      writeFileSync(
        file,
        outcomes
          .filter(({ difference }) => difference !== '')
          .map(({ file: name, title, request, difference }) => `${name} | ${title} | ${request}\n${difference}\n`)
          .join('\n'),
      )
  })
})

test.skipIf(folder !== undefined)(
  'recorded exchanges are skipped: ../shared/reference/pve-transcripts is not there',
  () => undefined,
)

async function replayFile(lab: RecordedLab, replayer: Replayer, { name, pve, exchanges }: Recording): Promise<void> {
  const file = pve === 8 ? name : `pve9/${name}`
  await lab.clock.passTo(exchanges[0]?.at ?? 0)
  const restart = restarts[name]
  if (restart !== undefined) await lab.change(restart)
  replayer.moveTo(lab.sim)
  if (name === '09-qemu-agent') lab.guests.answer(120, recordedAgent(pve))
  const unrecorded = unrecordedIn(pve, name)
  expect([undefined, ...exchanges.map(({ title }) => title)]).toEqual(
    expect.arrayContaining(unrecorded.map(({ before }) => before)),
  )
  const redoBefore = async (title?: string) => {
    for (const row of unrecorded) if (row.before === title) await replayer.redo(row)
  }
  await redoBefore()
  const reported = new Map<string, number>()
  for (const exchange of exchanges) {
    const nth = (reported.get(exchange.title) ?? 0) + 1
    reported.set(exchange.title, nth)
    await redoBefore(exchange.title)
    await removeBefore(replayer, exchange)
    const difference = await replayer.replay(exchange)
    const request = `${exchange.request.method} ${exchange.request.path}`
    const title = nth === 1 ? exchange.title : `${exchange.title} (${nth})`
    if (isAuthoritative(exchange)) outcomes.push({ file, title, request, difference })
  }
}

/** What was created again had been removed before, without a recording of it. */
async function removeBefore(replayer: Replayer, { request, response, title }: Exchange): Promise<void> {
  if (request.method !== 'POST' || !request.path.endsWith('/nodes/pve/qemu') || typeof request.body !== 'string') return
  const vmid = /(?:^|&)vmid=(\d+)/.exec(request.body)?.[1] ?? /"vmid": ?(\d+)/.exec(request.body)?.[1]
  if (vmid === undefined || /parallel/.test(title) || response.status !== 200) return
  if ((await replayer.find(`/nodes/pve/qemu/${vmid}/status/current`)) !== undefined)
    await replayer.act(remove(Number(vmid)))
}
