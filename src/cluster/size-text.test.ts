import { expect, test } from 'vitest'
import { sizeText } from './size-text.js'

const GiB = 1024 ** 3

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [4.2 * 1024 ** 2, '4.2 MiB'],
  [412.4 * 1024 ** 2, '412 MiB'],
  [8 * GiB, '8 GiB'],
  [7.5 * GiB, '7.5 GiB'],
  [1500 * GiB, '1500 GiB'],
  [2.5 * 1024 * GiB, '2.5 TiB'],
  [-3 * GiB, '-3 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
