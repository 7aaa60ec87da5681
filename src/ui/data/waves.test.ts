import { expect, test } from 'vitest'
import { gridOf } from './waves.js'

const step = (id: string, machine: string | null, after: string[] = [], round = 1) => ({ id, machine, after, round })

test('steps stand in the row of their machine, in the wave after those that they wait for', () => {
  const grid = gridOf([
    step('secrets', null),
    step('make a', 'a', ['secrets']),
    step('make b', 'b', ['secrets']),
    step('start b', 'b', ['make b']),
    step('later', 'a', ['start b'], 2),
  ])
  expect(grid.columns).toEqual([
    { round: 1, wave: 0 },
    { round: 1, wave: 1 },
    { round: 1, wave: 2 },
    { round: 2, wave: 0 },
  ])
  const ids = grid.rows.map(({ name, cells }) => [name, cells.map((cell) => cell.map(({ id }) => id))])
  expect(ids).toEqual([
    ['cluster', [['secrets'], [], [], []]],
    ['a', [[], ['make a'], [], ['later']]],
    ['b', [[], ['make b'], ['start b'], []]],
  ])
})

test('machines are in the order of their numbers', () => {
  expect(gridOf(['wk-10', 'wk-9'].map((name) => step(name, name))).rows.map(({ name }) => name)).toEqual([
    'wk-9',
    'wk-10',
  ])
})

test('steps that wait for each other, or for one that is not there, do not hang', () => {
  expect(gridOf([step('a', null, ['b']), step('b', null, ['a', 'gone'])]).rows).toHaveLength(1)
})
