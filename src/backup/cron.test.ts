import { expect, test } from 'vitest'
import { isDue, lastDue } from './cron.js'

const berlin = 'Europe/Berlin'

test.each([
  {
    schedule: '0 */6 * * *',
    zone: 'UTC',
    now: '2026-11-15T17:59:59Z',
    due: '2026-11-15T12:00:00Z',
    because: 'every six hours',
  },
  {
    schedule: '0 */6 * * *',
    zone: 'UTC',
    now: '2026-11-15T18:00:00Z',
    due: '2026-11-15T18:00:00Z',
    because: 'the minute itself counts',
  },
  {
    schedule: '30 2 * * *',
    zone: 'UTC',
    now: '2026-11-15T02:29:00Z',
    due: '2026-11-14T02:30:00Z',
    because: 'not yet today',
  },
  {
    schedule: '0 3 * * 0',
    zone: 'UTC',
    now: '2026-11-17T00:00:00Z',
    due: '2026-11-15T03:00:00Z',
    because: '15 November 2026 is a Sunday',
  },
  {
    schedule: '0 3 * * 7',
    zone: 'UTC',
    now: '2026-11-17T00:00:00Z',
    due: '2026-11-15T03:00:00Z',
    because: '7 is Sunday, too',
  },
  {
    schedule: '0 3 1 * *',
    zone: 'UTC',
    now: '2026-11-17T00:00:00Z',
    due: '2026-11-01T03:00:00Z',
    because: 'the first of the month',
  },
  {
    schedule: '0 3 13 * 5',
    zone: 'UTC',
    now: '2026-11-12T00:00:00Z',
    due: '2026-11-06T03:00:00Z',
    because: 'a date and a weekday: either',
  },
  {
    schedule: '0 0 29 2 *',
    zone: 'UTC',
    now: '2027-03-01T00:00:00Z',
    due: '2024-02-29T00:00:00Z',
    because: 'the last leap day',
  },
  {
    schedule: '5,35 8-10/2 * * 1-5',
    zone: 'UTC',
    now: '2026-11-15T12:00:00Z',
    due: '2026-11-13T10:35:00Z',
    because: 'lists, ranges and steps',
  },
  {
    schedule: '10/20 * * * *',
    zone: 'UTC',
    now: '2026-11-15T12:45:00Z',
    due: '2026-11-15T12:30:00Z',
    because: 'a start and a step',
  },
  {
    schedule: '0 3 * * *',
    zone: berlin,
    now: '2026-07-01T00:59:00Z',
    due: '2026-06-30T01:00:00Z',
    because: 'two hours ahead in summer',
  },
  {
    schedule: '0 3 * * *',
    zone: berlin,
    now: '2026-12-01T02:00:00Z',
    due: '2026-12-01T02:00:00Z',
    because: 'one hour ahead in winter',
  },
  {
    schedule: '0 0 * * *',
    zone: 'Pacific/Auckland',
    now: '2026-11-15T11:00:00Z',
    due: '2026-11-15T11:00:00Z',
    because: 'it is tomorrow there',
  },
  {
    schedule: '15 0 * * *',
    zone: 'Asia/Kathmandu',
    now: '2026-11-15T18:30:00Z',
    due: '2026-11-15T18:30:00Z',
    because: 'an offset of 5:45',
  },
  // 29 March 2026: 02:00 becomes 03:00 in Berlin.
  {
    schedule: '30 2 * * *',
    zone: berlin,
    now: '2026-03-29T00:59:00Z',
    due: '2026-03-28T01:30:00Z',
    because: 'before the clocks are put forward',
  },
  {
    schedule: '30 2 * * *',
    zone: berlin,
    now: '2026-03-29T01:00:00Z',
    due: '2026-03-29T01:00:00Z',
    because: '02:30 does not exist: at 03:00',
  },
  {
    schedule: '0 3 * * *',
    zone: berlin,
    now: '2026-03-29T12:00:00Z',
    due: '2026-03-29T01:00:00Z',
    because: '03:00 exists once',
  },
  // 25 October 2026: 03:00 becomes 02:00 in Berlin.
  {
    schedule: '30 2 * * *',
    zone: berlin,
    now: '2026-10-25T00:30:00Z',
    due: '2026-10-25T00:30:00Z',
    because: 'the first 02:30',
  },
  {
    schedule: '30 2 * * *',
    zone: berlin,
    now: '2026-10-25T01:30:00Z',
    due: '2026-10-25T00:30:00Z',
    because: 'the second 02:30 is not another one',
  },
  {
    schedule: '30 * * * *',
    zone: berlin,
    now: '2026-10-25T01:40:00Z',
    due: '2026-10-25T01:30:00Z',
    because: 'every hour means every hour',
  },
  {
    schedule: '30 1 * * *',
    zone: 'America/New_York',
    now: '2026-11-01T06:45:00Z',
    due: '2026-11-01T05:30:00Z',
    because: 'west of Greenwich, too',
  },
  {
    schedule: '30 2 * * *',
    zone: 'America/New_York',
    now: '2026-03-08T07:00:00Z',
    due: '2026-03-08T07:00:00Z',
    because: 'and forward',
  },
  // Lord Howe moves by half an hour.
  {
    schedule: '15 2 * * *',
    zone: 'Australia/Lord_Howe',
    now: '2026-10-04T12:00:00Z',
    due: '2026-10-03T15:30:00Z',
    because: 'a gap of half an hour',
  },
])('$schedule in $zone at $now: $due ($because)', ({ schedule, zone, now, due }) => {
  expect(new Date(lastDue(schedule, zone, Date.parse(now)) ?? 0).toISOString()).toBe(new Date(due).toISOString())
})

test('a date that never comes is never due', () => {
  expect(lastDue('0 0 30 2 *', 'UTC', Date.parse('2026-11-15T00:00:00Z'))).toBeUndefined()
})

test.each([
  { last: undefined, now: '2026-11-15T06:05:00Z', due: true, because: 'there is none yet' },
  {
    last: '2026-11-15T06:00:01Z',
    now: '2026-11-15T11:59:00Z',
    due: false,
    because: 'it was taken after the last time',
  },
  { last: '2026-11-15T05:59:00Z', now: '2026-11-15T06:00:00Z', due: true, because: 'the time has come' },
  { last: '2026-11-15T06:00:00Z', now: '2026-11-15T06:00:30Z', due: false, because: 'a second run in the same minute' },
  {
    last: '2026-11-01T06:00:00Z',
    now: '2026-11-15T06:00:30Z',
    due: true,
    because: 'this computer slept for two weeks: once',
  },
])('every six hours, last $last, now $now: $due ($because)', ({ last, now, due }) => {
  const at = last === undefined ? undefined : Date.parse(last)
  expect(isDue({ schedule: '0 */6 * * *', timeZone: 'UTC', last: at }, Date.parse(now))).toBe(due)
})
