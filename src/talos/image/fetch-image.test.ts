import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { fetchImage } from './fetch-image.js'

const signal = new AbortController().signal
const whole = Buffer.from('an image of some bytes')
const digest = (algorithm: 'sha256' | 'sha512') => createHash(algorithm).update(whole).digest('hex')

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder('ichor-test-')
})
afterEach(() => folder.remove())

function aFactory({ breaksAfter = Number.POSITIVE_INFINITY, size = whole.length } = {}) {
  async function* bytes() {
    for (let at = 0; at < whole.length; at += 4) {
      if (at >= breaksAfter) throw new Error('connection reset')
      yield whole.subarray(at, at + 4)
    }
  }
  return { download: async () => ({ size, bytes: bytes() }) }
}

test.each(['sha256', 'sha512'] as const)('a whole image comes as it is, with its %s', async (algorithm) => {
  const image = { url: 'x', checksum: { algorithm, value: digest(algorithm) } }
  const path = join(folder.path, 'image')
  const fetched = await fetchImage(aFactory(), image, path, signal)
  expect(fetched).toEqual({ byteLength: whole.length, sha256: digest('sha256') })
  expect((await readFile(path)).equals(whole)).toBe(true)
})

const other = { algorithm: 'sha256', value: 'ff' } as const
test.each([
  ['a cut connection', aFactory({ breaksAfter: 8 }), { url: 'x' }, `ended after 8 of ${whole.length} bytes`],
  ['too few bytes', aFactory({ size: 100 }), { url: 'x' }, `ended after ${whole.length} of 100 bytes`],
  ['another checksum', aFactory(), { url: 'x', checksum: other }, 'and ff was expected'],
])('%s is refused', async (_, factory, image, problem) => {
  await expect(fetchImage(factory, image, join(folder.path, 'image'), signal)).rejects.toThrow(problem)
})
