import { expect, test } from 'vitest'
import { readBbolt } from './bbolt-reader.js'
import { bboltPages, type Entry } from './bbolt-writer.js'

const entries = (count: number, size: number): Entry[] =>
  Array.from({ length: count }, (_, n) => [Buffer.from(String(n).padStart(8, '0')), Buffer.alloc(size, n % 251)])

test.each([
  { what: 'nothing', count: 0, size: 0, free: 0 },
  { what: 'a few keys, which stay in the page of their bucket', count: 3, size: 20, free: 0 },
  { what: 'many keys on two levels of branches', count: 30_000, size: 100, free: 10 },
  { what: 'values larger than a page', count: 20, size: 50_000, free: 0 },
  { what: 'more free pages than the header can count', count: 5, size: 10, free: 70_000 },
])('a database of $what reads back', ({ count, size, free }) => {
  const given = entries(count, size)
  const file = Buffer.concat([
    ...bboltPages(
      new Map([
        ['a', []],
        ['key', given],
      ]),
      free,
    ),
  ])
  expect(file.length % 4096).toBe(0)
  const buckets = readBbolt(file)
  expect([...(buckets?.keys() ?? [])]).toEqual(['a', 'key'])
  const read = buckets?.get('key') ?? []
  expect(read.length).toBe(count)
  expect(
    read.every(([key, value], n) => given[n]?.[0] && Buffer.compare(key, given[n][0]) === 0 && value.length === size),
  ).toBe(true)
})

test('a file that was cut short or overwritten is no database', () => {
  const file = Buffer.concat([...bboltPages(new Map([['key', entries(500, 100)]]), 0)])
  expect(readBbolt(file.subarray(0, 5 * 4096))).toBeUndefined()
  const blank = Buffer.from(file)
  blank.fill(0, 0, 2 * 4096)
  expect(readBbolt(blank)).toBeUndefined()
})
