import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openProgress } from './progress.js'

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a hunt goes on where it ended, and counts what every process of it has found', async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-progress-'))
  const file = join(folder, 'hunt.jsonl')
  const [one, other] = [openProgress(file), openProgress(file)]
  one.note(1, undefined)
  other.note(2, 'orphan')
  one.note(3, undefined)
  expect(one.summary()).toBe('3 sequences, 1 broken (333.3 in a thousand)')

  const again = openProgress(file)
  expect([1, 2, 3, 4].map((seed) => again.isDone(seed))).toEqual([true, true, true, false])
  again.note(2, undefined)
  expect(again.summary()).toBe('3 sequences, 0 broken (0.0 in a thousand)')
})
