import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fetchImage } from './fetch-image.js'

const signal = new AbortController().signal
const whole = Buffer.from('an image of some bytes')
const sha256 = createHash('sha256').update(whole).digest('hex')

function aFactory({ breaksAfter = Number.POSITIVE_INFINITY, size = whole.length } = {}) {
  async function* bytes() {
    for (let at = 0; at < whole.length; at += 4) {
      if (at >= breaksAfter) throw new Error('connection reset')
      yield whole.subarray(at, at + 4)
    }
  }
  return { download: async () => ({ size, bytes: bytes() }) }
}

test('a whole image comes as it is', async () => {
  expect(Buffer.from(await fetchImage(aFactory(), { url: 'x', sha256 }, signal)).equals(whole)).toBe(true)
})

test.each([
  ['a cut connection', aFactory({ breaksAfter: 8 }), { url: 'x' }, `ended after 8 of ${whole.length} bytes`],
  ['too few bytes', aFactory({ size: 100 }), { url: 'x' }, `ended after ${whole.length} of 100 bytes`],
  ['another checksum', aFactory(), { url: 'x', sha256: 'ff' }, 'and ff was expected'],
])('%s is refused', async (_, factory, image, problem) => {
  await expect(fetchImage(factory, image, signal)).rejects.toThrow(problem)
})
