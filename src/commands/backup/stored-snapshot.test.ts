import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aStub } from '../../../tests/support/stub.js'
import type { BackupPlace } from './place.js'
import { getSnapshot } from './stored-snapshot.js'

const place = aStub<BackupPlace>({ store: { location: '/backups', list: async () => [] } })
const signal = new AbortController().signal

test.each([
  { named: undefined, fix: 'Take one with `ichor backup`.' },
  { named: 'dev-1', fix: 'Choose one from `ichor backup list`.' },
  { named: fileURLToPath(import.meta.url), fix: /^A snapshot is chosen by its name .* with --foreign\.$/ },
])('where $named is not in the store, the error says what to do', async ({ named, fix }) => {
  await expect(getSnapshot(named, { cluster: 'dev', bundle: undefined }, place, signal)).rejects.toMatchObject({
    fix: typeof fix === 'string' ? fix : expect.stringMatching(fix),
  })
})
