import { expect, test } from 'vitest'
import { freeNote, readNote } from './lease-note.js'
import { readLedger, writeLedger } from './ledger.js'

const key = { id: 'a', secret: 'b' }
const now = 1_795_000_000_000

test('it comes back as it was written, in the note of a lease', () => {
  const text = writeLedger({ used: { abc: now / 1000 + 60 } }, key, now)
  const note = readNote(freeNote({ intent: [100], unfinished: [3], ledger: text }))
  expect(note).toMatchObject({ kind: 'free', intent: [100], unfinished: [3], ledger: text })
  expect(readLedger(text, key)).toEqual({ used: { abc: now / 1000 + 60 } })
  expect(readLedger(undefined, key)).toEqual({ used: {} })
})

test('what has expired is dropped, so that a note does not grow', () => {
  expect(readLedger(writeLedger({ used: { abc: now / 1000 - 1 } }, key, now), key)).toEqual({ used: {} })
})

test.each([
  ['of another cluster', writeLedger({ used: {} }, { ...key, secret: 'c' }, now)],
  ['that was edited', writeLedger({ used: {} }, key, now).replace(/:[^:]+:/, `:${btoa('{"used":{}} ')}:`)],
  ['without content', 'v1:e30:'],
])('one %s is not believed', (_, text) => {
  expect(readLedger(text, key)).toBe('forged')
})
