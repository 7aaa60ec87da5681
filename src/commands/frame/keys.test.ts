import { expect, test } from 'vitest'
import { keysIn } from './keys.js'

test('keys arrive one by one or several at once; sequences that mean nothing here are left out', () => {
  expect(keysIn('q')).toEqual(['q'])
  expect(keysIn('\u001b[A\u001b[Bj/ä\r')).toEqual(['up', 'down', 'j', '/', 'ä', 'enter'])
  expect(keysIn('\u001b')).toEqual(['escape'])
  expect(keysIn('\u001b[1;5C\u0003')).toEqual(['ctrl-c'])
})
