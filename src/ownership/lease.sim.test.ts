import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../clock.js'
import type { ProxmoxPort } from '../proxmox/client/port.js'
import { connectLab } from '../proxmox/client/testing/lab-client.js'
import { type SmallLab, startSmallLab } from '../simulator/proxmox/testing/small-lab.js'
import type { Lease } from './held-lease.js'
import { takeLease } from './lease.js'
import { LeaseHeld } from './lease-error.js'
import { aProbe } from './testing/fakes.js'

const signal = new AbortController().signal
let lab: SmallLab
let proxmox: ProxmoxPort
const held: Lease[] = []

beforeEach(async () => {
  lab = await startSmallLab()
  proxmox = connectLab(lab)
})
afterEach(async () => {
  await Promise.all(held.splice(0).map((lease) => lease.release()))
  await proxmox.close()
  await lab.close()
})

/** A hundred times as fast: the holder renews every 0.6 seconds. */
const take = async (run: string) => {
  const lease = await takeLease({
    pools: proxmox.pools,
    clock: createClock(100),
    pool: 'ichor-dev',
    run,
    intent: [],
    signal: new AbortController().signal,
    probe: aProbe('laptop'),
  })
  held.push(lease)
  return lease
}

test('over the wire, too, one of twenty wins', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => take(`run-${i}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LeaseHeld)
})

test('a lease whose creation was never answered is ours all the same', async () => {
  await proxmox.pools.create('ichor-dev', 'made by ichor', signal)
  lab.faults.add({ match: { method: 'POST', path: '^/pools' }, action: { kind: 'drop-answer' } })
  const lease = await take('run-1')
  lease.assertFresh()
  await lease.release()
  expect((await proxmox.pools.find('ichor-dev/lease-1', signal))?.comment).toBe('free')
})
