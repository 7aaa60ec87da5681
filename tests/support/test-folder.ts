import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that tests put into the temporary directory stands in one folder, which goes with the run, however it ends. */
export function useTestFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-tests-'))
  // A test reads files as another user: the way to them is open, the folders of the tests themselves are not.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}
