import { expect, test } from 'vitest'
import { UsageError } from '../errors.js'
import { collectRefusals } from '../findings/refusals/collect-refusals.js'
import { unknownHost } from '../findings/refusals/inventory.js'
import { notConverging } from '../findings/refusals/runs.js'
import { errorReport, errorText } from './error.js'
import { textStyle } from './text-style.js'

const subject = { kind: 'inventory', name: 'cluster.yaml' } as const
const coded = unknownHost.refuse('There is no pve9.', { subject, where: 'cluster.yaml:4', fix: 'Correct the name.' })
const other = notConverging.refuse('Something else.', { subject, where: 'there', fix: 'Look.' })

function both(): unknown {
  const refusals = collectRefusals()
  for (const refused of [other, coded])
    refusals.attempt(() => {
      throw refused
    }, undefined)
  try {
    return refusals.finish(() => undefined)
  } catch (thrown) {
    return thrown
  }
}

test('several refusals are shown one below the other, each with its fix', () => {
  expect(errorText(both(), textStyle({}, {}))).toBe(
    [
      'error  There is no pve9.',
      'where  cluster.yaml:4',
      'fix    Correct the name.',
      '',
      'error  Something else.',
      'where  there',
      'fix    Look.',
      '',
    ].join('\n'),
  )
})

test('as JSON a refusal has the code of each problem', () => {
  expect(errorReport(coded).error.findings).toMatchObject([{ code: 'ICH0151', subject }])
  expect(errorReport(both()).error.findings?.map(({ code }) => code)).toEqual(['ICH0151', 'ICH0371'])
  expect(errorReport(new UsageError('No.', { where: 'there', fix: 'Look.' })).error.findings).toBeUndefined()
})
