import { expect, test } from 'vitest'
import { slowWritesIn } from './slow-writes.js'

async function* fileOf(...lines: readonly string[]) {
  yield Buffer.from(`${lines.join('\n')}\n`)
}
const slow = (ts: string, took: string) =>
  `{"level":"warn","ts":"${ts}","caller":"wal/wal.go:806","msg":"slow fdatasync","took":"${took}","expected-duration":"1s"}`

test('slow writes of the last hour count, in milliseconds', async () => {
  const log = fileOf(
    slow('2026-11-18T10:00:00.000000Z', '9.1s'),
    'not JSON',
    slow('2026-11-18T11:30:00.000000Z', '2.331012521s'),
    slow('2026-11-18T11:40:00.000000Z', '1m1.5s'),
    '{"level":"info","ts":"2026-11-18T12:00:00.000000Z","msg":"compacted"}',
  )
  expect((await slowWritesIn(log)).map(Math.round)).toEqual([2331, 61_500])
})

test('an empty log has none', async () => {
  expect(await slowWritesIn(fileOf())).toEqual([])
})
