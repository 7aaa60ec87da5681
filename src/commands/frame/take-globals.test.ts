import { expect, test } from 'vitest'
import { takeGlobals } from './take-globals.js'

test.each([
  [['-i', 'inventory/dev', 'up', '--yes'], ['up', '--yes', '-i', 'inventory/dev'], false],
  [['--inventory=dev', '--lab', 'status'], ['status', '--inventory=dev', '--lab'], false],
  [['status', '--plain', '-i', 'x'], ['status', '-i', 'x'], true],
  [['--plain', '--json', 'lab', 'status'], ['lab', 'status', '--json'], true],
  [['completion', 'propose', '--', 'up', '--plain'], ['completion', 'propose', '--', 'up', '--plain'], false],
  [['--help'], ['--help'], false],
  [['-i', 'x'], ['-i', 'x'], false],
])('%j is read as %j', (typed, words, isPlain) => {
  expect(takeGlobals(typed)).toEqual({ words, isPlain })
})
