import { existsSync } from 'node:fs'
import type { Status } from '../../src/operations/status/status.js'
import type { World } from '../../src/world.js'
import { describeAction, type Run } from './action.js'
import { type Book, findExcuse } from './book.js'
import { Broken } from './broken.js'
import { judgeReadable } from './by-hand.js'
import { judgeLeftFiles } from './files.js'
import { aHand } from './hand.js'
import type { Ended } from './ichor.js'
import { type Foreign, foreignIn, judgeAlways, judgeGone, judgeSecrets, judgeStatus, judgeWell } from './judge.js'
import { newKeys } from './keys.js'
import { forgetOperators } from './operator.js'
import { note, perform, runWords } from './perform.js'
import type { Sequence } from './random-sequence.js'
import { givenPool } from './shape.js'
import { openSite, readSecrets } from './site.js'
import { calmDown } from './troubles.js'
import { watchDrains } from './watch-drains.js'
import { destroyWords, upWords } from './words.js'

export interface SequenceOptions {
  readonly speed: number
  readonly log?: (text: string) => void
  readonly through?: (world: World) => World
}

/** What was broken, or nothing. */
export async function runSequence(sequence: Sequence, options: SequenceOptions): Promise<Broken | undefined> {
  const log = options.log ?? (() => {})
  const { shape, seed } = sequence
  const site = await openSite({
    shape,
    seed,
    speed: options.speed,
    ...(options.through === undefined ? {} : { through: options.through }),
  })
  const book: Book = {
    site,
    hand: aHand(site.lab),
    shape,
    runs: [],
    excuses: [],
    madeByHand: new Set(),
    disowned: new Set(),
    troubles: [],
    isProxmoxTroubled: false,
    copies: [],
    keys: newKeys(await readSecrets(site)),
    lostHosts: new Set(),
    lives: 1,
    restores: 0,
    newEtcd: false,
    isRestoring: false,
    destructions: [],
    undrained: [],
    wereTasksKilled: false,
    wereRotated: false,
    log,
  }
  const unwatch = watchDrains(book)
  try {
    if (shape.isPoolGiven) await book.hand.call('POST', '/pools', { poolid: givenPool })
    await live(book, sequence)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Broken) return thrown
    return new Broken('harness', thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  } finally {
    unwatch()
    forgetOperators()
    await site.close()
  }
}

async function live(book: Book, { actions, endsWithDestroy }: Sequence): Promise<void> {
  const foreign = foreignIn(book)
  for (const action of actions) {
    book.log(describeAction(action))
    await perform(book, action)
    judgeAlways(book, foreign)
    if (action.do === 'run' && action.verb === 'status') judgeLastStatus(book, foreign, action)
  }
  book.log('calm, and the end')
  await calmDown(book)
  await converge(book, foreign)
  await judgeRest(book, foreign)
  if (!endsWithDestroy) return
  book.lives++
  await untilDone(book, 'destroy')
  judgeAlways(book, foreign)
  judgeGone(book, foreign)
}

function judgeLastStatus(book: Book, foreign: Foreign, { faults, end, meanwhile }: Run): void {
  const isQuiet = book.troubles.length === 0 && [faults, end, meanwhile].every((one) => one === undefined)
  const last = book.runs.at(-1)
  // Without secrets nothing can be proven to be ours.
  if (isQuiet && (last?.code === 0 || last?.code === 4) && existsSync(book.site.secretsPath))
    judgeStatus(book, foreign, last.stdout)
}

async function converge(book: Book, foreign: Foreign): Promise<void> {
  await untilDone(book, 'up')
  book.newEtcd = false
  judgeAlways(book, foreign)
  judgeWell(book, foreign)
  await judgeSecrets(book)
  await judgeReadable(book)
}

/** The third run plans nothing and changes nothing, and `status` says that all is well. */
async function judgeRest(book: Book, foreign: Foreign): Promise<void> {
  const calls = () =>
    book.site.lab.ledger.entries().filter(({ event, mutating }) => event === 'call' && mutating).length
  const before = calls()
  const planned = await run(book, ['plan', '--exit-code'])
  if (planned.code !== 0)
    throw new Broken('drift', `plan after up: ${planned.code}\n${planned.stdout}${planned.stderr}`)
  const third = await run(book, upWords(book))
  if (third.code !== 0 || calls() !== before)
    throw new Broken('drift', `the third up changed something:\n${third.stderr}`)
  const status = await run(book, ['status', '--json'])
  judgeStatus(book, foreign, status.stdout)
  const { healthy, findings } = JSON.parse(status.stdout) as Status
  // A warning may stay, such as a copy that somebody made by hand: up does not touch it.
  const isWarned = findings.some(({ severity }) => severity === 'warns')
  if (!healthy && (!isWarned || findings.some(({ severity }) => severity === 'blocks')))
    throw new Broken('status', `not healthy after up was done: ${status.stdout}`)
  judgeAlways(book, foreign)
  judgeLeftFiles(book.site)
}

/** Two runs at most, but for those that are refused with a reason that a person then sees to. */
async function untilDone(book: Book, verb: 'up' | 'destroy'): Promise<void> {
  let tries = 0
  for (let runs = 0; runs < 10; runs++) {
    const ended = await run(book, verb === 'up' ? upWords(book) : destroyWords)
    if (ended.code === 0) return
    const excuse = findExcuse(book, ended)
    if (excuse === undefined && ++tries === 2)
      throw new Broken(ended.code === 3 ? 'refusal' : 'convergence', lastWords(ended))
    if (excuse === undefined) continue
    book.log(`  right, because ${excuse.because}; a person sees to it`)
    book.excuses.splice(book.excuses.indexOf(excuse), 1)
    await excuse.heal(ended)
  }
  throw new Broken('refusal', 'it was refused ten times')
}

async function run(book: Book, words: readonly string[]): Promise<Ended> {
  const ended = await runWords(book, words)
  note(book, ended)
  return ended
}

function lastWords({ words, code, stderr }: Ended): string {
  return `ichor ${words.join(' ')} ended with ${code}:\n${stderr.trim().split('\n').slice(-12).join('\n')}`
}
