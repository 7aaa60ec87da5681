import { expect, test } from 'vitest'
import { type Vitals, watchAvailability } from './availability.js'
import type { SimClock } from './clock.js'
import { createLedger } from './ledger.js'

function aWatch() {
  let now = 0
  let vitals: Vitals = { apis: [], etcds: [], machines: [] }
  const clock = { now: () => now } as SimClock
  const ledger = createLedger()
  const watch = watchAvailability(ledger, clock, () => vitals)
  const entry = { surface: 'lab', event: 'tick', subject: '', mutating: false } as const
  return {
    watch,
    ledger,
    happens: (at: number, seen: Partial<Vitals>) => {
      now = at
      vitals = { ...vitals, ...seen }
      ledger.record({ ...entry, at })
    },
  }
}

const machines = (states: Readonly<Record<string, boolean>>) => ({
  machines: Object.entries(states).map(([name, isReady]) => ({ name, isReady })),
})

test('only what was there once can be out, and what is gone from the lab is out', () => {
  const { watch, happens } = aWatch()
  happens(1, { apis: [{ endpoint: '10.0.10.10', isServed: false }] })
  happens(2, { apis: [{ endpoint: '10.0.10.10', isServed: true }] })
  happens(5, { apis: [] })
  happens(9, { apis: [{ endpoint: '10.0.10.10', isServed: true }] })
  happens(12, { etcds: [{ id: 'e', hasMajority: true }] })
  happens(13, { etcds: [{ id: 'e', hasMajority: false }] })
  expect(watch.apiOutages()).toEqual([{ subject: '10.0.10.10', from: 5, to: 9 }])
  expect(watch.etcdOutages()).toEqual([{ subject: 'e', from: 13 }])
  expect(watch.etcdOutages('other')).toEqual([])
})

test('machines that go one after the other are not away together', () => {
  const { watch, happens } = aWatch()
  happens(1, machines({ a: true, b: true, c: true }))
  happens(2, machines({ a: false, b: true, c: true }))
  happens(3, machines({ a: true, b: false, c: true }))
  expect(watch.maxAway(['a', 'b', 'c'])).toEqual({ at: 2, machines: ['a'] })
  happens(4, machines({ a: true, b: false, c: false }))
  expect(watch.maxAway(['a', 'b', 'c'])).toEqual({ at: 4, machines: ['b', 'c'] })
  expect(watch.maxAway(['a'])).toEqual({ at: 2, machines: ['a'] })
})

test('changes to a VM are listed with their callers, including the calls that created it and no others', () => {
  const { watch, ledger } = aWatch()
  const call = { surface: 'proxmox', event: 'call', mutating: true } as const
  ledger.record({ ...call, at: 1, subject: 'POST /nodes/pve1/qemu', detail: { user: 'a', status: 200, newVmid: 100 } })
  ledger.record({ ...call, at: 2, subject: 'PUT /nodes/pve1/qemu/1000/config', detail: { user: 'b', status: 200 } })
  ledger.record({ ...call, at: 3, subject: 'DELETE /nodes/pve1/qemu/100', detail: { user: 'c', status: 500 } })
  expect(watch.touches(100)).toEqual([
    { at: 1, user: 'a', call: 'POST /nodes/pve1/qemu', status: 200 },
    { at: 3, user: 'c', call: 'DELETE /nodes/pve1/qemu/100', status: 500 },
  ])
})
