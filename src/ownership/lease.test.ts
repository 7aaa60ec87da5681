import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { beforeEach, expect, test } from 'vitest'
import { ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { Lease } from './held-lease.js'
import { localProcesses } from './holder.js'
import { homesIn, intentIn, type LeaseRequest, takeLease, unfinishedIn } from './lease.js'
import { LeaseHeld, LeaseLost } from './lease-error.js'
import { readNote } from './lease-note.js'
import type { Pools } from './lease-pools.js'
import { aProbe, createMemoryPools, createVirtualTime, type VirtualTime } from './testing/fakes.js'

const signal = new AbortController().signal
setMaxListeners(50, signal)
let time: VirtualTime
let pools: ReturnType<typeof createMemoryPools>
beforeEach(() => {
  time = createVirtualTime()
  pools = createMemoryPools()
})

const request = (run: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  pools,
  clock: time.clock(),
  pool: 'dev',
  run,
  intent: [],
  signal,
  probe: aProbe('laptop'),
  ...more,
})

/** The lease, or the error, after that much time. */
async function after<T>(ms: number, taking: Promise<T>): Promise<T> {
  const settled = taking.then(
    (value) => () => value,
    (reason: unknown) => () => {
      throw reason
    },
  )
  await time.pass(ms)
  return (await settled)()
}

const leases = () => [...pools.all.keys()].filter((id) => id.startsWith('dev/'))
/** A computer that sleeps: it neither renews nor reads anything. */
const asleep = { sleep: () => new Promise<void>(() => undefined) }

test('of twenty takers at once one wins, and the others are reported who', async () => {
  const takers = Array.from({ length: 20 }, (_, i) => takeLease(request(`run-${i}`)))
  const outcomes = Promise.allSettled(takers)
  await time.pass(300_000)
  const settled = await outcomes
  const winners = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(winners).toHaveLength(1)
  for (const outcome of settled) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LeaseHeld)
  }
  const loser = settled.find((outcome) => outcome.status === 'rejected')
  expect(String(loser?.reason.message)).toContain('alice on laptop')
  winners[0]?.assertFresh()
  await winners[0]?.release()
})

test('a lease that was given back is taken at once, under the next number, and the old one goes', async () => {
  await (await takeLease(request('one'))).release()
  expect(pools.all.get('dev/lease-1')).toBe('free')
  const lease = await takeLease(request('two'))
  expect(leases()).toEqual(['dev/lease-2'])
  await lease.release()
})

test('what acting must not forget passes from run to run, also from one that was killed', async () => {
  const one = await takeLease(request('one'))
  await one.rememberLedger('v1:abc:def', signal)
  await one.release()
  expect(pools.all.get('dev/lease-1')).toBe('free ledger v1:abc:def')
  const killed = await takeLease(request('two', { clock: { ...time.clock(), ...asleep } }))
  expect(killed.ledger).toBe('v1:abc:def')
  const three = await after(400_000, takeLease(request('three')))
  expect(three.ledger).toBe('v1:abc:def')
  await three.release({ remove: 'nothing' })
  expect(readNote(pools.all.get('dev/lease-3') ?? '')).toMatchObject({ ledger: 'v1:abc:def' })
})

test('leases that were left beside their successor go with the next run that takes one, and with destroy', async () => {
  await pools.create('dev', 'made by ichor', signal)
  for (const number of [1, 2, 3]) await pools.create(`dev/lease-${number}`, 'free', signal)
  const next = await takeLease(request('next'))
  expect(leases()).toEqual(['dev/lease-4'])
  await next.release()
  await pools.create('dev/lease-2', 'free', signal)
  const last = await takeLease(request('last'))
  await last.release({ remove: 'lease-and-pool' })
  expect([...pools.all.keys()]).toEqual([])
})

test('a holder that renews is left alone for hours', async () => {
  const lease = await takeLease(request('one'))
  await time.pass(3_600_000)
  lease.assertFresh()
  await expect(after(120_000, takeLease(request('two')))).rejects.toBeInstanceOf(LeaseHeld)
  await lease.release()
})

test('a holder that sleeps may change nothing when it wakes, and learns that it was succeeded', async () => {
  const sleeper = await takeLease(request('one', { clock: { ...time.clock(), ...asleep } }))
  let waited = 0
  const taker = takeLease(request('two', { probe: aProbe('server'), onWait: () => waited++ }))
  await time.pass(175_000)
  expect(leases()).toEqual(['dev/lease-1'])
  expect(() => sleeper.assertFresh()).toThrow(LeaseLost)
  const successor = await after(10_000, taker)
  expect(waited).toBe(1)
  await expect(sleeper.declare([5], signal)).rejects.toThrow(/another run took over the lease/)
  expect(() => sleeper.assertFresh()).toThrow(/another run took over the lease/)
  successor.assertFresh()
  await sleeper.release()
  expect(readNote(pools.all.get('dev/lease-2') ?? '')).toMatchObject({ kind: 'held', holder: { run: 'two' } })
  await successor.release()
})

test('a holder that wakes while its lease is being taken keeps it: the taker sees the renewal and gives up', async () => {
  const sleeper = await takeLease(request('one', { clock: { ...time.clock(), ...asleep } }))
  const create: Pools['create'] = async (id, comment, abort) => {
    if (id === 'dev/lease-2') await sleeper.declare([5], signal)
    return pools.create(id, comment, abort)
  }
  const taker = takeLease(request('two', { probe: aProbe('server'), pools: { ...pools, create } }))
  await expect(after(200_000, taker)).rejects.toBeInstanceOf(LeaseHeld)
  expect(leases()).toEqual(['dev/lease-1'])
  await sleeper.declare([6], signal)
  sleeper.assertFresh()
  await sleeper.release()
})

test('a holder that wakes and whose renewal arrives after it was succeeded may change nothing', async () => {
  let isHeldUp = false
  let goOn = () => {}
  const setComment: Pools['setComment'] = async (id, comment, abort) => {
    if (isHeldUp) await new Promise<void>((resolve) => (goOn = resolve))
    await pools.setComment(id, comment, abort)
  }
  const clock = { ...time.clock(), ...asleep }
  const sleeper = await takeLease(request('one', { clock, pools: { ...pools, setComment } }))
  await time.pass(1000)
  const remove: Pools['remove'] = async (id, abort) => {
    goOn()
    await time.pass(0)
    await pools.remove(id, abort)
  }
  const create: Pools['create'] = async (id, comment, abort) => {
    isHeldUp = true
    renewal = sleeper.declare([5], signal)
    renewal.catch(() => undefined)
    await time.pass(0)
    return pools.create(id, comment, abort)
  }
  let renewal: Promise<void> | undefined
  await pools.setComment('dev', 'made by ichor', signal)
  const taker = takeLease(request('two', { probe: aProbe('server'), pools: { ...pools, create, remove } }))
  const successor = await after(200_000, taker)
  await expect(renewal).rejects.toThrow(/another run took over the lease/)
  expect(() => sleeper.assertFresh()).toThrow(LeaseLost)
  successor.assertFresh()
  await successor.release()
})

test.each([
  ['wall', { monotonic: () => 0 }],
  ['monotonic', { now: () => 1_800_000_000_000 }],
])('two minutes by the %s clock alone are too old', async (_which, stopped) => {
  const lease = await takeLease(request('one', { clock: { ...time.clock(), ...asleep, ...stopped } }))
  await time.pass(119_000)
  lease.assertFresh()
  await time.pass(2_000)
  expect(() => lease.assertFresh()).toThrow(/last renewed 121 seconds ago/)
})

test('a dead process of the same computer is succeeded at once; one elsewhere only after three minutes', async () => {
  await takeLease(request('dead', { clock: { ...time.clock(), ...asleep }, probe: aProbe('laptop', new Set(), 7) }))
  const elsewhere = takeLease(request('far', { probe: aProbe('server', new Set([7])) })).catch(
    (reason: unknown) => reason,
  )
  await time.pass(1000)
  expect(leases()).toEqual(['dev/lease-1'])
  const lease = await takeLease(request('near', { probe: aProbe('laptop', new Set([7]), 8) }))
  expect(leases()).toEqual(['dev/lease-2'])
  await time.pass(10_000)
  expect(await elsewhere).toBeInstanceOf(LeaseHeld)
  await lease.release()
})

test('--force-unlock takes it from a running holder, which then notices', async () => {
  const first = await takeLease(request('one'))
  const second = await takeLease(request('two', { force: true }))
  await time.pass(61_000)
  expect(() => first.assertFresh()).toThrow(LeaseLost)
  second.assertFresh()
  await second.release()
})

test('of two forced unlocks at once, one wins and the other does not take over again', async () => {
  await takeLease(request('old', { clock: { ...time.clock(), ...asleep } }))
  const both = Promise.allSettled([takeLease(request('a', { force: true })), takeLease(request('b', { force: true }))])
  await time.pass(120_000)
  expect((await both).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('the intent is written before it is acted on, and is inherited from the dead', async () => {
  const first = await takeLease(request('one', { intent: [2000], clock: { ...time.clock(), ...asleep } }))
  await first.declare([2001, 3000], signal)
  expect(readNote(pools.all.get('dev/lease-1') ?? '')).toMatchObject({ intent: [2000, 2001, 3000] })
  const heir = await after(200_000, takeLease(request('two', { intent: [2002] })))
  expect(heir.intent).toEqual([2000, 2001, 2002, 3000])
  expect(readNote(pools.all.get('dev/lease-2') ?? '')).toMatchObject({
    holder: { run: 'two' },
    intent: [2002, 2000, 2001, 3000],
  })
  await heir.release()
})

test('a holder whose successor died before deleting its lease learns of it all the same', async () => {
  const first = await takeLease(request('one'))
  pools.all.set('dev/lease-2', pools.all.get('dev/lease-1')?.replace('one', 'two') ?? '')
  await time.pass(61_000)
  expect(() => first.assertFresh()).toThrow(/another run took over the lease/)
})

test('when the answer to the creation is lost, the comment reports whose it is', async () => {
  const lossy = (create: typeof pools.create) => ({
    ...pools,
    create: async (...args: Parameters<typeof create>) => {
      if (!args[0].includes('lease')) return pools.create(...args)
      await create(...args)
      throw new ProxmoxError({ method: 'POST', path: '/pools', reason: 'cut', outcome: 'unknown' })
    },
  })
  const lease = await takeLease(request('one', { pools: lossy(pools.create) }))
  lease.assertFresh()
  await lease.release()
  let winner: Lease | undefined
  const taken = async () => {
    winner = await takeLease(request('faster'))
    return false
  }
  await expect(after(120_000, takeLease(request('late', { pools: lossy(taken) })))).rejects.toBeInstanceOf(LeaseHeld)
  winner?.assertFresh()
  await winner?.release()
})

test('a lease is as old as the question that renewed it, not as the answer', async () => {
  let isSlow = false
  const clock = time.clock()
  const setComment: typeof pools.setComment = async (id, comment, callSignal) => {
    if (isSlow) await clock.sleep(100_000, callSignal)
    await pools.setComment(id, comment, callSignal)
  }
  const lease = await takeLease(request('one', { clock, pools: { ...pools, setComment } }))
  isSlow = true
  await time.pass(165_000)
  lease.assertFresh()
  await time.pass(20_000)
  expect(() => lease.assertFresh()).toThrow(/last renewed 125 seconds ago/)
})

test('failed calls during a renewal costs freshness, not the lease', async () => {
  let isStormy = false
  const weather = {
    ...pools,
    list: (callSignal: AbortSignal) => (isStormy ? Promise.reject(new Error('storm')) : pools.list(callSignal)),
  }
  const lease = await takeLease(request('one', { pools: weather }))
  isStormy = true
  await time.pass(130_000)
  expect(() => lease.assertFresh()).toThrow(LeaseLost)
  isStormy = false
  await time.pass(10_000)
  lease.assertFresh()
  await lease.release()
})

test.each([
  ['lease', ['dev']],
  ['lease-and-pool', []],
] as const)('destroy can take the %s away', async (remove, left) => {
  const lease = await takeLease(request('one'))
  await lease.release({ remove })
  expect([...pools.all.keys()]).toEqual(left)
})

test('a pool that ichor did not create stays', async () => {
  pools.all.set('dev', 'the pool of our team')
  const lease = await takeLease(request('one'))
  await lease.release({ remove: 'lease-and-pool' })
  expect([...pools.all.keys()]).toEqual(['dev'])
})

test('a pool that leaves no level for the lease is refused', async () => {
  await expect(takeLease(request('one', { pool: 'a/b/c' }))).rejects.toThrow(/is nested too deep/)
})

test('this very process is alive, and a pid that was reused is not it', async () => {
  const self = await localProcesses.self('run')
  expect(await localProcesses.isGone(self)).toBe(false)
  expect(await localProcesses.isGone({ ...self, started: 'before' })).toBe(true)
  expect(await localProcesses.isGone({ ...self, pid: 2 ** 22 + 1 })).toBe(true)
  expect(await localProcesses.isGone({ ...self, boot: 'another', pid: 2 ** 22 + 1 })).toBe(false)
})

test.skipIf(process.platform !== 'linux')('a holder that was killed and not reaped by its parent is gone', async () => {
  const self = await localProcesses.self('run')
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 20'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const pid = Number(String(await once(parent.stdout, 'data')))
    const holder = { ...self, pid, started: '' }
    await expect.poll(() => localProcesses.isGone(holder)).toBe(true)
    expect(() => process.kill(pid, 0)).not.toThrow()
  } finally {
    parent.kill('SIGKILL')
  }
})

test.each(['', 'somebody wrote here', '{"run":1}', 'null'])(
  'the comment %j is nobody we know, and is waited for',
  async (comment) => {
    pools.all.set('dev', '').set('dev/lease-4', comment)
    const taking: Promise<Lease> = takeLease(request('one'))
    await time.pass(170_000)
    expect(leases()).toEqual(['dev/lease-4'])
    const lease = await after(20_000, taking)
    expect(leases()).toEqual(['dev/lease-5'])
    await lease.release()
  },
)

test('a token that does not see its pool is reported so, and leaves no lease behind', async () => {
  const blind = { ...pools, list: async () => [] }
  await expect(takeLease(request('run-1', { pools: blind }))).rejects.toThrow(
    'The pool dev exists, but this token cannot see it.',
  )
  expect(leases()).toEqual([])
})

test('where machines without a VM go back to is inherited, and kept when a run ends well', async () => {
  const first = await takeLease(request('one', { clock: { ...time.clock(), ...asleep } }))
  await first.rememberHomes({ 'dev-wk-1': 'pve1', 'dev-wk-2': 'pve1' }, signal)
  const heir = await after(200_000, takeLease(request('two', { intent: [2002] })))
  expect(homesIn(await pools.list(signal), 'dev')).toEqual({ 'dev-wk-1': 'pve1', 'dev-wk-2': 'pve1' })
  await heir.rememberHomes({ 'dev-wk-2': 'pve1' }, signal)
  await heir.release()
  expect(homesIn(await pools.list(signal), 'dev')).toEqual({ 'dev-wk-2': 'pve1' })
  const last = await takeLease(request('three'))
  await last.rememberHomes({}, signal)
  await last.release({ remove: 'nothing' })
  expect(homesIn(await pools.list(signal), 'dev')).toEqual({})
})

test.each([
  ['free after 101,102 homes dev-wk-1=pve1', { 'dev-wk-1': 'pve1' }],
  ['free homes dev-wk-1=pve1,b=`x`,c', { 'dev-wk-1': 'pve1' }],
  ['free after 101', {}],
])('%s', (comment, homes) => {
  expect(readNote(comment)).toMatchObject({ kind: 'free', homes })
})

test('what a run left unfinished is known until a run has finished it, whoever was killed in between', async () => {
  const unfinished = () =>
    unfinishedIn(
      [...pools.all].map(([id, comment]) => ({ id, comment })),
      'dev',
    )
  const first = await takeLease(request('first'))
  expect(unfinished()).toEqual([1])
  await first.release({ remove: 'nothing' })
  expect(unfinished()).toEqual([1])
  const second = await takeLease(request('second'))
  expect(unfinished()).toEqual([1, 2])
  await second.rememberUnfinished([1], signal)
  await second.release()
  expect(unfinished()).toEqual([1])
  const third = await takeLease(request('third'))
  await third.rememberUnfinished([], signal)
  await third.release()
  expect(unfinished()).toEqual([])
})

test('VMs that still have to get their identity stay recorded when a run ends well', async () => {
  const intent = async () => intentIn(await pools.list(signal), 'dev')
  const first = await takeLease(request('first', { intent: [2000, 3000, 3001] }))
  first.keepClaims([3001])
  expect(await intent(), 'until it ends').toEqual([2000, 3000, 3001])
  await first.release()
  expect(await intent()).toEqual([3001])
  const second = await takeLease(request('second', { intent: [2000] }))
  expect(await intent()).toEqual([2000, 3001])
  second.keepClaims([])
  await second.release()
  expect(await intent()).toEqual([])
})

test('a run that fails while it takes its lease forgets no claim of an earlier one', async () => {
  await (await takeLease(request('first', { intent: [3001] }))).release({ remove: 'nothing' })
  const stubborn: typeof pools = { ...pools, remove: async () => Promise.reject(new Error('out of luck')) }
  await expect(takeLease(request('second', { pools: stubborn, intent: [2000] }))).rejects.toThrow('out of luck')
  await pools.remove('dev/lease-1', signal)
  expect(intentIn(await pools.list(signal), 'dev')).toEqual([2000, 3001])
})
