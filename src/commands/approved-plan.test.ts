import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readApproved } from './approved-plan.js'

let cwd = ''
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'ichor-plan-'))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const output = { write: () => undefined }
const context = () => ({
  cwd,
  stdout: output,
  stderr: output,
  stdin: Readable.from([]),
  env: {},
  signal: new AbortController().signal,
  program: 'ichor',
})

test.each(['null', '[]', '{"version":1,"steps":[null]}', '{"version":1,"steps":[{"id":"a"}]}'])(
  'a file with %s holds no plan',
  async (text) => {
    await writeFile(join(cwd, 'plan.json'), text)
    await expect(readApproved('plan.json', context())).rejects.toMatchObject({
      name: 'FileError',
      message: 'The file holds no plan.',
    })
  },
)
