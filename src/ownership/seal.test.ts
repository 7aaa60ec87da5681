import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer } from './seal.js'

const sealer = createSealer({ id: 'c1', secret: 'secret' })
const lines = ['node: dev-cp-1', 'vmid: 2000']

test('a seal is the same for the same lines in any order, and shows nothing of the secret', () => {
  const seal = sealer.seal(lines)
  expect(seal).toMatch(/^v1:[\w-]{43}$/)
  expect(sealer.seal(lines.toReversed())).toBe(seal)
  expect(sealer.isSealed(lines, seal)).toBe(true)
})

test('only the id and the secret of the cluster make that seal', () => {
  const seal = sealer.seal(lines)
  for (const other of [
    { id: 'c2', secret: 'secret' },
    { id: 'c1', secret: 'secret2' },
  ])
    expect(createSealer(other).isSealed(lines, seal)).toBe(false)
})

test('no other lines have that seal, and no other text is it', () => {
  const seal = sealer.seal(lines)
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 })), fc.string(), (others, text) => {
      fc.pre(others.toSorted().join('\n') !== lines.toSorted().join('\n') && text !== seal)
      expect(sealer.isSealed(others, seal)).toBe(false)
      expect(sealer.isSealed(lines, text)).toBe(false)
      expect(sealer.isSealed(lines, `v1:${text}`)).toBe(false)
    }),
  )
})
