import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap } from './heap.js'

test('whatever goes in comes out in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = createHeap<number>((one, other) => one < other)
      for (const number of numbers) heap.add(number)
      expect(heap.size).toBe(numbers.length)
      expect(heap.peek()).toBe(numbers.toSorted((one, other) => one - other)[0])
      expect(numbers.map(() => heap.take())).toEqual(numbers.toSorted((one, other) => one - other))
      expect(heap.take()).toBeUndefined()
    }),
  )
})
