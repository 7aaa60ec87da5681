import { expect, test } from 'vitest'
import { stepKinds } from './steps.js'

test('every kind of step is registered once', () => {
  const kinds = stepKinds.map(({ kind }) => kind)
  expect(kinds.filter((kind, index) => kinds.indexOf(kind) !== index)).toEqual([])
})
