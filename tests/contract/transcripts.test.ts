import { writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { findReason } from './known-differences.js'
import { startRecordedLab } from './recorded-lab.js'
import { findRecordings, isAuthoritative, loadRecordings, type Recording } from './recording.js'
import { type Outcome, Replayer } from './replayer.js'
import { interludes, pauses, recordedAgent, removalBefore, setUps } from './set-up.js'

const folder = findRecordings()
const share = 0.85
/** Some answers depend on how fast the computer is; a few that are in no table are no news. */
const mostUnexplained = 0.01
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
    for (const line of [...report(), ...table()]) console.log(line)
    const file = process.env.ICHOR_TRANSCRIPT_REPORT
    if (file !== undefined) writeFileSync(file, differences().join('\n'))
    const agreeing = outcomes.filter(({ outcome }) => outcome.agrees).length
    expect(agreeing / outcomes.length).toBeGreaterThanOrEqual(share)
    expect(unexplained().length / outcomes.length).toBeLessThanOrEqual(mostUnexplained)
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
    await lab.clock.sleep(pauses[`${name} | ${exchange.title}`] ?? 0)
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

function unexplained(): string[] {
  return outcomes
    .filter(({ file, outcome }) => !outcome.agrees && findReason(file, outcome.exchange.title) === undefined)
    .map(({ file, outcome }) => `${file} | ${outcome.exchange.title}`)
}

/** The rest, by the reason why it is so. */
function table(): string[] {
  const byReason = new Map<string, number>()
  for (const { file, outcome } of outcomes) {
    if (outcome.agrees) continue
    const reason = findReason(file, outcome.exchange.title) ?? 'in no table'
    byReason.set(reason, (byReason.get(reason) ?? 0) + 1)
  }
  const lines = [...byReason]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${String(count).padStart(5)} differ: ${reason}`)
  return [...lines, ...unexplained().map((title) => `      in no table: ${title}`)]
}

function differences(): string[] {
  return outcomes
    .filter(({ outcome }) => !outcome.agrees)
    .map(
      ({ file, outcome: { exchange, difference } }) =>
        `${file} | ${exchange.title} | ${exchange.request.method} ${exchange.request.path}\n${difference}\n`,
    )
}
