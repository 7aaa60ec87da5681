import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { troubles } from '../../../tests/chaos/action.js'
import { endOf, faultUsage } from '../../commands/lab/fault-list.js'
import { faultDefinitions } from './index.js'

test('docs/lab-faults.md lists every fault as it is defined, and no other', () => {
  const page = readFileSync('docs/lab-faults.md', 'utf8')
  const rows = [...page.matchAll(/^\| `.*$/gm)].map(([row]) => row)
  const defined = faultDefinitions.map((fault) => `| \`${faultUsage(fault)}\` | ${fault.effect} | ${endOf(fault)} |`)
  expect(rows).toEqual(defined)
})

test('no two faults have the same name, and none has that of an end', () => {
  const names = faultDefinitions.map(({ name }) => name)
  const ends = new Set(faultDefinitions.flatMap(({ end }) => (typeof end === 'string' ? [] : [end])))
  const all = [...names, ...[...ends].map(({ name }) => name)]
  expect(all).toEqual([...new Set(all)])
})

test('the troubles of chaos are faults of the lab', () => {
  expect(troubles.filter((trouble) => !faultDefinitions.some(({ name }) => name === trouble))).toEqual([])
})
