import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beside, wrapWords } from './wrap.js'

test('a text breaks at spaces, and nothing is lost', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(words, fc.integer({ min: 12, max: 80 }), (list, width) => {
      const lines = wrapWords(list.join(' '), width)
      expect(lines.join(' ')).toBe(list.join(' '))
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    }),
  )
})

test('a word that is longer than the line is not broken', () => {
  expect(wrapWords('see https://factory.talos.dev/image/abc now', 12)).toEqual([
    'see',
    'https://factory.talos.dev/image/abc',
    'now',
  ])
})

test('further lines stand below the beginning of the text', () => {
  expect(beside('fix    ', 7, 'Bring pve2 back, then run: ichor up', 30)).toBe(
    'fix    Bring pve2 back, then\n       run: ichor up',
  )
})
