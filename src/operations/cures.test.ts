import { expect, test } from 'vitest'
import { healthyFacts } from '../../tests/support/facts.js'
import type { Finding } from '../findings/finding.js'
import { curesOf, stillThere } from './cures.js'

const finding = (code: `ICH${string}`, subject: Finding['subject'], command: string): Finding => ({
  code,
  severity: 'warns',
  certainty: 'certain',
  subject,
  title: code,
  detail: '',
  cure: { text: '', command },
})
const commands = [
  'ichor up',
  'ichor doctor --fix ICH0502',
  'ichor doctor --fix ICH0507',
  'ichor doctor --fix ICH0605',
  'ichor doctor --fix ICH0305',
  'ichor replace dev-cp-1',
  'ichor replace db-1',
  'ichor replace VM 4711',
  'kubectl delete node old',
]
const kinds = ['cluster', 'machine', 'host', 'storage', 'node', 'addon', 'object', 'inventory'] as const

test('no cure names what is not ours, whatever was found', async () => {
  const facts = await healthyFacts()
  const ours = facts.observed.machines.map(({ name }) => name)
  const all = commands.flatMap((command) =>
    kinds.flatMap((kind) =>
      [...ours, 'db-1', 'VM 4711', 'pve1'].map((name) => ({
        ...finding('ICH0999', { kind, name }, command),
        cure: { text: '', command, steps: true } as const,
      })),
    ),
  )
  const { defragment, approve, machines, replace, remark } = curesOf(all, undefined, facts).cures
  expect(new Set([...defragment, ...approve, ...machines, ...replace, ...remark])).toEqual(new Set(ours))
  expect(replace).toEqual(['dev-cp-1'])
})

test('by code or by machine, only these are cured; what is left is listed', async () => {
  const facts = await healthyFacts()
  const up = finding('ICH0308', { kind: 'machine', name: 'dev-wk-1' }, 'ichor up')
  const other = finding('ICH0302', { kind: 'machine', name: 'dev-wk-2' }, 'ichor up')
  const hard = finding('ICH0402', { kind: 'machine', name: 'dev-wk-1' }, 'ichor replace dev-wk-1')
  expect(curesOf([up, other, hard], 'ich0308', facts)).toMatchObject({ cures: { machines: ['dev-wk-1'] }, left: [] })
  expect(curesOf([up, other, hard], 'dev-wk-1', facts)).toMatchObject({
    cures: { machines: ['dev-wk-1'], disarms: false },
    cured: [up],
    left: [hard],
  })
})

test('an alarm defragments every member that responds', async () => {
  const facts = await healthyFacts()
  const full = finding('ICH0502', { kind: 'member', name: 'dev-cp-3' }, 'ichor doctor --fix ICH0502')
  expect(curesOf([full], undefined, facts).cures).toEqual({
    defragment: ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'],
    disarms: true,
    approve: [],
    machines: [],
    addons: [],
    replace: [],
    remark: [],
  })
})

test('of what is found after a cure, only the same finding of the same subject is still there', () => {
  const cured = [finding('ICH0308', { kind: 'machine', name: 'dev-wk-1' }, 'ichor up')]
  const same = finding('ICH0308', { kind: 'machine', name: 'dev-wk-1' }, 'ichor up')
  const other = finding('ICH0308', { kind: 'machine', name: 'dev-wk-2' }, 'ichor up')
  const fresh = finding('ICH0603', { kind: 'machine', name: 'dev-wk-1' }, 'ichor up')
  expect(stillThere(cured, [other, same, fresh])).toEqual([same])
  expect(stillThere(cured, [])).toEqual([])
})
