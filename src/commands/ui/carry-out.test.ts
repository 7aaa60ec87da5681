import { beforeEach, expect, test, vi } from 'vitest'
import type { NewEvent } from '../../events/event.js'
import type { RunRequest } from '../../operations/run.js'
import type { Session } from '../../operations/session.js'
import type { Context } from '../frame/context.js'
import { carryOut } from './carry-out.js'

const at = '2026-11-19T10:00:00.000Z'
const signal = new AbortController().signal
let requests: RunRequest[]
const endless = new Promise<never>(() => {})

vi.mock('../../operations/run.js', () => ({
  run: (_: Session, request: RunRequest) => {
    requests.push(request)
    return endless
  },
}))
beforeEach(() => {
  requests = []
})

const report = (event: NewEvent) => {
  for (const sink of requests[0]?.sinks ?? []) sink({ ...event, run: 'r', seq: 1 })
}

test('a run that waits for the lease of another one has begun: the page follows it and shows whose it is', async () => {
  const apply = carryOut(async () => ({}) as Session, {} as Context)
  let hasBegun = false
  const begun = apply('digest', signal).then(() => {
    hasBegun = true
  })
  await expect.poll(() => requests.length).toBe(1)
  report({ type: 'run.noted', at, severity: 'info', text: 'a note before the question' })
  await Promise.resolve()
  expect(hasBegun).toBe(false)
  report({ type: 'step.waiting', at, step: 'lease', for: 'the lease of ada on desk', since: at })
  await begun
})

test('of two approvals at once one is refused, and the run goes on', async () => {
  const apply = carryOut(async () => ({}) as Session, {} as Context)
  const first = apply('digest', signal)
  await expect(apply('digest', signal)).rejects.toThrow('A run of this page is under way.')
  await expect.poll(() => requests.length).toBe(1)
  report({ type: 'run.started', at, version: 1, cluster: 'dev', goal: 'up', changes: 1, steps: [] })
  await first
  await expect(apply('digest', signal)).rejects.toThrow('A run of this page is under way.')
})

test('an inventory that cannot be read ends nothing that comes after it', async () => {
  let isBroken = true
  const session = async () => {
    if (isBroken) throw new Error('the inventory cannot be read')
    return {} as Session
  }
  const apply = carryOut(session, {} as Context)
  await expect(apply('digest', signal)).rejects.toThrow('cannot be read')
  isBroken = false
  void apply('digest', signal)
  await expect.poll(() => requests.length).toBe(1)
})
