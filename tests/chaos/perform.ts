import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import type { Action, HandAction, Run, Trouble } from './action.js'
import { handActions, readingVerbs } from './action.js'
import { type Book, findExcuse } from './book.js'
import { actByHand, expectKilledTasks, uncordonAll } from './by-hand.js'
import { checkoutOf, exchange, expectStaleSecrets, noteFiles } from './checkouts.js'
import { type Ended, ichor } from './ichor.js'
import { ichorProcess } from './ichor-process.js'
import { judgeDrill, judgeReading } from './judge.js'
import { forgetUse, newerOf } from './keys.js'
import { clusterVms, isRecovered, stateOf, watchLedger } from './lab-state.js'
import { anOperator, type Operator } from './operator.js'
import { calmDown, loseHost, makeTrouble } from './troubles.js'
import { destroyWords, lockWords, lostHost, restoreWords, upWords, wordsOf } from './words.js'

/** What passes for a frozen process until it is woken: by the clock of leases, and by the wall. */
const longerThanALease = 200_000
const frozenMs = 2000

/** Lets one action of a sequence happen. */
export async function perform(book: Book, action: Action): Promise<void> {
  switch (action.do) {
    case 'run':
      return performRun(book, action)
    case 'edit':
      return edit(book, action.change)
    case 'hand':
      return actByHand(book, action)
    case 'trouble':
      return makeTrouble(book, action)
    case 'calm':
      return calmDown(book)
    case 'secrets':
      return handleSecrets(book, action.what)
    case 'checkout':
      return exchange(book, action.what)
  }
}

async function performRun(book: Book, run: Run): Promise<void> {
  const { site } = book
  const { lab } = site
  const checkout = await checkoutOf(book, run)
  const words = wordsOf(book, run, checkout)
  if (words === undefined) return book.log('  there is nothing to do that to')
  const operator = anOperator(run.isFromLaptop ? 'laptop' : 'desk', isUndisturbed(book, run))
  operator.clockMs = run.clockMs ?? 0
  operator.disk = run.disk === undefined ? undefined : { how: run.disk.how, left: run.disk.at }
  const stop = new AbortController()
  const meanwhile: Promise<void>[] = []
  for (const rule of run.faults ?? []) lab.faults.add(rule)
  if (run.faults?.some(({ action }) => action.kind === 'kill-task')) expectKilledTasks(book)
  await begin[run.verb]?.(book, run)
  const unwatch = watchCalls(book, run, { operator, stop, meanwhile })
  const before = lab.ledger.entries().length
  const { folder } = checkout
  const ended = await runWords(book, words, (all) =>
    run.isProcess
      ? ichorProcess(site, all, { folder, signal: stop.signal, ...killsInWrite(run) })
      : ichor(site, all, { operator, signal: stop.signal, folder }),
  )
  unwatch()
  site.victim = undefined
  await Promise.all(meanwhile)
  lab.faults.clear()
  note(book, ended)
  const calls = lab.ledger.entries().slice(before)
  if (run.verb === 'drill' && meanwhile.length === 0) judgeDrill(book, calls, ended)
  if (isReading(run.verb) && meanwhile.length === 0) judgeReading(calls, ended, lab.proxmox.tokenId)
  await noteFiles(book, folder)
}

function killsInWrite({ end }: Run): { readonly killInWrite?: number } {
  return end?.how === 'kill-in-write' ? { killInWrite: end.at } : {}
}

function isReading(verb: Run['verb']): boolean {
  return readingVerbs.some((one) => one === verb)
}

/** What changes for the judge when a run of a verb begins, however it ends. */
const begin: Partial<Record<Run['verb'], (book: Book, run: Run) => Promise<void> | void>> = {
  destroy: beginDestroy,
  restore: beginRestore,
  'rotate-talos-ca': beginRotation,
  'rotate-kubernetes-ca': beginRotation,
  'rotate-service-account-key': beginRotation,
  'rotate-etcd-encryption-key': beginRotation,
  lock: beginLock,
  'replace-lost-host': (book, { target }) => loseHost(book, lostHost(book.shape, target)),
}

/** Runs that take etcd away are known as such: what is lost by them is not lost by mistake. */
export async function runWords(
  book: Book,
  words: readonly string[],
  run: (words: readonly string[]) => Promise<Ended> = (all) => ichor(book.site, all),
): Promise<Ended> {
  if (words[0] === 'destroy') return duringDestruction(book, () => run(words)).finally(() => forgetUse(book.keys))
  // Everything goes off, etcd with it.
  if (words[0] === 'shutdown') return duringDestruction(book, () => run(words))
  if (words[0] !== 'restore') return run(words)
  book.restores++
  book.isRestoring = true
  try {
    return await duringDestruction(book, () => run(words))
  } finally {
    // A snapshot brings the keys of its day back.
    forgetUse(book.keys)
    book.isRestoring = false
  }
}

/** Nothing but a second operator comes between the run and its lease; a call that fails a few times is tried again in time. */
function isUndisturbed(book: Book, { faults = [], end, meanwhile, isProcess, disk, clockMs }: Run): boolean {
  const isAlone = meanwhile === undefined || meanwhile.action.what === 'second-up'
  const isQuick = faults.every(({ action }) => action.kind !== 'delay')
  return isAlone && isQuick && !book.isProxmoxTroubled && end === undefined && !isProcess && !disk && !clockMs
}

/** Workers that a killed run started go on for a while. */
const afterwardsMs = 600_000

/** The etcd that comes from a snapshot is kept as any other. */
async function duringDestruction<T>({ site: { lab }, destructions }: Book, work: () => Promise<T>): Promise<T> {
  const from = lab.clock.now()
  try {
    return await work()
  } finally {
    const restored = lab.ledger.entries().find((entry) => entry.at >= from && isRecovered(entry))
    destructions.push({ from, to: restored?.at ?? lab.clock.now() + afterwardsMs })
  }
}

/** What is left of a cluster whose destruction was cut short may be too little to live on. */
function beginDestroy(book: Book): void {
  book.lives++
  book.excuses.push({
    because: 'a destruction was not finished',
    pattern: /majority|had an etcd before/,
    heal: () => runAgain(book, destroyWords),
  })
}

const unfinishedRestore = /restore of etcd from (\S+) is not finished/

/** A copy of the secrets from before knows nothing of the restore; nodes are cordoned as they were when the snapshot was taken. */
function beginRestore(book: Book): void {
  book.copies.length = 0
  book.excuses.push({
    because: 'a restore was not finished',
    pattern: unfinishedRestore,
    heal: ({ stderr }) => runAgain(book, restoreWords(unfinishedRestore.exec(stderr)?.[1]) ?? []),
  })
  book.excuses.push({
    because: 'nodes were cordoned when the snapshot was taken',
    pattern: /is cordoned/,
    code: 1,
    heal: () => uncordonAll(book),
  })
}

function beginRotation(book: Book): void {
  book.wereRotated = true
}

/** Whatever an edit needs since is not in the lock file. */
function beginLock(book: Book): void {
  book.excuses.push({
    because: 'the lock file is older than the inventory',
    pattern: /not in the lock file/,
    heal: () => runAgain(book, lockWords),
  })
}

export function note(book: Book, ended: Ended): void {
  book.runs.push(ended)
  book.log(`  ichor ${ended.words.join(' ')}: ${ended.code} after ${ended.ms} ms ${lastLine(ended)}`)
}

function lastLine({ code, stderr }: Ended): string {
  const error = /^error {2}(.*)$/m.exec(stderr)?.[1]
  return code === 0 ? '' : (error ?? stderr.trim().split('\n').at(-1) ?? '')
}

/** What a person changed by hand before may refuse this as well: that person sees to it first. */
async function runAgain(book: Book, words: readonly string[]): Promise<void> {
  const attempts = book.excuses.length + 1
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const ended = await runWords(book, words)
    note(book, ended)
    const excuse = findExcuse(book, ended)
    if (excuse === undefined) return
    book.excuses.splice(book.excuses.indexOf(excuse), 1)
    await excuse.heal(ended)
  }
}

/** Counts the mutating calls of the run, and lets things happen at theirs. */
function watchCalls(
  book: Book,
  { end, meanwhile }: Run,
  running: { operator: Operator; stop: AbortController; meanwhile: Promise<void>[] },
): () => void {
  let calls = 0
  return watchLedger(book.site.lab, ({ event, mutating, detail }) => {
    if (event !== 'call' || !mutating || detail?.user === 'root@pam') return
    calls++
    if (calls === end?.at && end.how !== 'kill-in-write') endRun(book, end.how, running)
    if (calls !== meanwhile?.at) return
    const happening = happen(book, meanwhile.action)
    running.meanwhile.push(happening)
    if (meanwhile.isOutlasted) running.operator.outlast(happening)
  })
}

function endRun(
  book: Book,
  how: NonNullable<Run['end']>['how'],
  running: { operator: Operator; stop: AbortController },
) {
  book.log(`  ${how}`)
  if (how === 'kill') {
    running.stop.abort('SIGKILL')
    return running.operator.kill()
  }
  if (how === 'interrupt') return running.stop.abort('SIGINT')
  running.operator.freeze(longerThanALease)
  setTimeout(() => running.operator.wake(), frozenMs)
}

async function happen(book: Book, action: NonNullable<Run['meanwhile']>['action']): Promise<void> {
  if (action.what === 'second-up')
    return note(book, await ichor(book.site, upWords(book), { operator: anOperator('laptop') }))
  return isByHand(action) ? actByHand(book, action) : makeTrouble(book, action)
}

function isByHand(action: HandAction | Trouble): action is HandAction {
  return handActions.some((what) => what === action.what)
}

async function edit(book: Book, change: Partial<Book['shape']>): Promise<void> {
  const before = book.shape
  book.shape = { ...book.shape, ...change }
  await book.site.writeInventory(book.shape)
  if (change.controlPlanes === undefined || change.controlPlanes >= before.controlPlanes) return
  book.excuses.push({
    because: `the inventory went from ${before.controlPlanes} control planes to ${change.controlPlanes}`,
    pattern: /majority|odd number/,
    isValid: () => book.shape.controlPlanes === change.controlPlanes,
    heal: () => edit(book, { controlPlanes: before.controlPlanes }),
  })
}

async function handleSecrets(book: Book, what: 'copy' | 'restore' | 'lose'): Promise<void> {
  const { secretsPath, lab } = book.site
  const text = await readFile(secretsPath, 'utf8').catch(() => undefined)
  if (what === 'copy' && text !== undefined) book.copies.push(text)
  if (what === 'restore' && book.copies[0] !== undefined) {
    await writeFile(secretsPath, book.copies[0], { mode: 0o600 })
    expectStaleSecrets(book, book.copies[0])
  }
  // Without a machine there is nothing that another bundle would not fit.
  if (what !== 'lose' || text === undefined || clusterVms(stateOf(lab)).length === 0) return
  await rm(await realpath(secretsPath))
  book.excuses.push({
    because: 'the secrets were lost',
    pattern: /secrets are missing/,
    heal: () => writeFile(secretsPath, newerOf(text, book.keys.newest), { mode: 0o600 }),
  })
}
