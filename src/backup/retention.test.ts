import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyRetention, type RetainedSnapshot } from './retention.js'

const none = { last: 0, daily: 0, weekly: 0, monthly: 0 }

function taken(...times: string[]): RetainedSnapshot[] {
  return times.map((text) => ({
    name: text.replace('!', ''),
    takenAt: `${text.replace('!', '')}:00Z`,
    isDrilled: text.includes('!'),
  }))
}

/** `!` marks a snapshot that was drilled. */
test.each([
  {
    because: 'the newest two',
    keep: { last: 2 },
    all: ['2026-11-13T00:00', '2026-11-15T00:00', '2026-11-14T00:00'],
    kept: ['2026-11-15T00:00', '2026-11-14T00:00'],
  },
  {
    because: 'the last one of each day',
    keep: { daily: 2 },
    all: ['2026-11-15T18:00', '2026-11-15T06:00', '2026-11-14T18:00', '2026-11-14T06:00', '2026-11-13T18:00'],
    kept: ['2026-11-15T18:00', '2026-11-14T18:00'],
  },
  {
    because: 'days without one do not count',
    keep: { daily: 2 },
    all: ['2026-11-15T18:00', '2026-10-01T06:00', '2026-09-14T18:00'],
    kept: ['2026-11-15T18:00', '2026-10-01T06:00'],
  },
  {
    because: 'weeks start on Monday',
    keep: { weekly: 2 },
    all: ['2026-11-16T00:00', '2026-11-15T23:00', '2026-11-09T00:00', '2026-11-08T00:00'],
    kept: ['2026-11-16T00:00', '2026-11-15T23:00'],
  },
  {
    because: 'a week across the new year is one',
    keep: { weekly: 2 },
    all: ['2027-01-02T00:00', '2026-12-30T00:00', '2026-12-20T00:00'],
    kept: ['2027-01-02T00:00', '2026-12-20T00:00'],
  },
  {
    because: 'the last one of each month',
    keep: { monthly: 2 },
    all: ['2026-11-15T00:00', '2026-11-01T00:00', '2026-10-31T00:00', '2026-09-30T00:00'],
    kept: ['2026-11-15T00:00', '2026-10-31T00:00'],
  },
  {
    because: 'rules add up',
    keep: { last: 1, monthly: 2 },
    all: ['2026-11-15T00:00', '2026-11-14T00:00', '2026-10-31T00:00'],
    kept: ['2026-11-15T00:00', '2026-10-31T00:00'],
  },
  {
    because: 'never the last good one',
    keep: {},
    all: ['2026-11-15T00:00', '2026-11-14T00:00'],
    kept: ['2026-11-15T00:00'],
  },
  {
    because: 'nor the last drilled one',
    keep: { last: 1 },
    all: ['2026-11-15T00:00', '2026-11-14T00:00', '2026-11-13T00:00!', '2026-11-12T00:00!'],
    kept: ['2026-11-15T00:00', '2026-11-13T00:00'],
  },
  { because: 'nothing there', keep: { last: 1 }, all: [], kept: [] },
])('$because', ({ keep, all, kept }) => {
  const verdict = applyRetention(taken(...all), { ...none, ...keep }, 'UTC')
  expect(verdict.keep.map(({ name }) => name)).toEqual(kept)
  expect([...verdict.remove, ...kept].sort()).toEqual(
    taken(...all)
      .map(({ name }) => name)
      .sort(),
  )
})

test('a day is a day of the time zone', () => {
  const keptIn = (zone: string) => {
    const all = taken('2026-11-15T23:30', '2026-11-15T22:30')
    return applyRetention(all, { ...none, daily: 5 }, zone).keep.map(({ name }) => name)
  }
  expect(keptIn('UTC')).toEqual(['2026-11-15T23:30'])
  expect(keptIn('Europe/Berlin')).toEqual(['2026-11-15T23:30', '2026-11-15T22:30'])
})

test('the reasons are named', () => {
  const { keep } = applyRetention(taken('2026-11-15T00:00', '2026-11-01T00:00!'), { ...none, last: 1, daily: 1 }, 'UTC')
  expect(keep).toEqual([
    { name: '2026-11-15T00:00', because: 'last, daily' },
    { name: '2026-11-01T00:00', because: 'last drilled' },
  ])
})

test('whatever the numbers, the newest and the newest drilled one stay, and a second prune removes nothing', () => {
  const count = fc.integer({ min: 0, max: 5 })
  const snapshot = fc.record({ hours: fc.integer({ min: 0, max: 24 * 400 }), isDrilled: fc.boolean() })
  const rules = fc.record({ last: count, daily: count, weekly: count, monthly: count })
  fc.assert(
    fc.property(
      fc.uniqueArray(snapshot, { selector: ({ hours }) => hours, minLength: 1, maxLength: 40 }),
      rules,
      (all, keep) => {
        const snapshots = all.map(({ hours, isDrilled }) => ({
          name: String(hours),
          takenAt: new Date(Date.UTC(2026, 0, 1, hours)).toISOString(),
          isDrilled,
        }))
        const verdict = applyRetention(snapshots, keep, 'Europe/Berlin')
        const newest = (of: typeof all) => String(Math.max(...of.map(({ hours }) => hours)))
        expect(verdict.remove).not.toContain(newest(all))
        const drilled = all.filter(({ isDrilled }) => isDrilled)
        if (drilled.length > 0) expect(verdict.remove).not.toContain(newest(drilled))
        const left = snapshots.filter(({ name }) => !verdict.remove.includes(name))
        expect(applyRetention(left, keep, 'Europe/Berlin').remove).toEqual([])
      },
    ),
  )
})
