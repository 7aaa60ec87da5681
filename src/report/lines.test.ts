import { expect, test } from 'vitest'
import type { NewEvent } from '../events/event.js'
import { createLines } from './lines.js'
import { textStyle } from './text-style.js'

function linesOf(notes: readonly [second: number, text: string][]): string[] {
  const written: string[] = []
  const show = createLines((text) => written.push(text.trim()), textStyle({}, {}))
  for (const [second, text] of notes) {
    const at = new Date(second * 1000).toISOString()
    show({ type: 'step.noted', at, step: 'check', text } satisfies NewEvent)
  }
  return written
}

test('an unchanged wait is reported once a minute', () => {
  expect(
    linesOf([
      [0, 'waiting for etcd (0 s, last: Starting)'],
      [5, 'waiting for etcd (5 s, last: Starting)'],
      [59, 'waiting for etcd (59 s, last: Starting)'],
      [61, 'waiting for etcd (1 min 01 s, last: Starting)'],
      [62, 'waiting for etcd (1 min 02 s, last: Learning)'],
    ]),
  ).toEqual([
    '.. check: waiting for etcd (0 s, last: Starting)',
    '.. check: waiting for etcd (1 min 01 s, last: Starting)',
    '.. check: waiting for etcd (1 min 02 s, last: Learning)',
  ])
})

test('progress is news', () => {
  expect(
    linesOf([
      [0, '25 % (311.5 MiB of 1.2 GiB)'],
      [1, '50 % (623.0 MiB of 1.2 GiB)'],
    ]),
  ).toHaveLength(2)
})

test('a step that waits for an offline host is reported; one that is not announced, such as the lease, in another way', () => {
  const written: string[] = []
  const show = createLines((text) => written.push(text.trim()), textStyle({}, {}))
  const at = new Date(0).toISOString()
  const steps = [{ id: 'start', kind: 'start-machine', title: 'start dev-wk-1', after: [] }]
  show({ type: 'round.started', at, round: 1, steps })
  for (const step of ['start', 'lease'])
    show({ type: 'step.waiting', at, step, for: 'host pve2, which is offline', since: at })
  expect(written).toEqual(['wait start dev-wk-1: waiting for host pve2, which is offline'])
})
