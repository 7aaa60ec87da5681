import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { startRecordedLab } from './recorded-lab.js'
import { findRecordings, isAuthoritative, loadRecordings, type Recording } from './recording.js'
import { type Outcome, Replayer } from './replayer.js'
import { interludes, recordedAgent, removalBefore, setUps } from './set-up.js'

const folder = findRecordings()
const share = 0.85
const outcomes: { file: string; outcome: Outcome }[] = []

describe.skipIf(folder === undefined)('recorded exchanges', () => {
  test.each([8, 9] as const)('Proxmox VE %i', { timeout: 240_000 }, async (pve) => {
    const lab = await startRecordedLab(pve)
    const replayer = new Replayer(lab.sim, lab.filesUrl)
    for (const recording of loadRecordings(folder ?? '', pve)) await replayFile(lab, replayer, recording)
    await lab.close()
    expect(
      lab.ledger
        .entries()
        .filter(({ event }) => event === 'bug')
        .map(({ subject }) => subject),
    ).toEqual([])
  })

  afterAll(() => {
    const agreeing = outcomes.filter(({ outcome }) => outcome.agrees).length
    for (const line of report()) console.log(line)
    const report_ = process.env.ICHOR_TRANSCRIPT_REPORT
    if (report_ !== undefined) writeFileSync(report_, differences().join('\n'))
    expect(agreeing / outcomes.length).toBeGreaterThanOrEqual(share)
  })
})

test.skipIf(folder !== undefined)(
  'recorded exchanges are skipped: ../shared/reference/pve-transcripts is not there',
  () => undefined,
)

async function replayFile(
  lab: Awaited<ReturnType<typeof startRecordedLab>>,
  replayer: Replayer,
  { name, pve, exchanges }: Recording,
): Promise<void> {
  const setUp = setUps[name]
  if (setUp !== undefined) await lab.change((state) => setUp(state, pve))
  if (name === '09-qemu-agent') lab.guests.answer(120, recordedAgent)
  replayer.moveTo(lab.sim)
  await replayer.logIn()
  const file = pve === 8 ? name : `pve9/${name}`
  for (const exchange of exchanges) {
    const edit = interludes[`${name} | ${exchange.title}`] ?? removalBefore(exchange)
    if (edit !== undefined) {
      await lab.change((state) => edit(state, pve))
      replayer.moveTo(lab.sim)
    }
    const outcome = await replayer.replay(exchange)
    if (isAuthoritative(exchange)) outcomes.push({ file, outcome })
  }
}

function report(): string[] {
  const byFile = new Map<string, { agreeing: number; all: number }>()
  for (const { file, outcome } of outcomes) {
    const count = byFile.get(file) ?? { agreeing: 0, all: 0 }
    byFile.set(file, { agreeing: count.agreeing + (outcome.agrees ? 1 : 0), all: count.all + 1 })
  }
  const lines = [...byFile].map(
    ([file, { agreeing, all }]) => `${String(agreeing).padStart(5)} of ${String(all).padStart(4)} agree  ${file}`,
  )
  const agreeing = outcomes.filter(({ outcome }) => outcome.agrees).length
  return [
    ...lines,
    `${agreeing} of ${outcomes.length} recorded exchanges agree (${((100 * agreeing) / outcomes.length).toFixed(1)} %)`,
  ]
}

function differences(): string[] {
  return outcomes
    .filter(({ outcome }) => !outcome.agrees)
    .map(
      ({ file, outcome: { exchange, difference } }) =>
        `${file} | ${exchange.title} | ${exchange.request.method} ${exchange.request.path}\n${difference}\n`,
    )
}
