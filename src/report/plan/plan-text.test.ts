import { expect, test } from 'vitest'
import { aViewOf } from '../../../tests/support/plan-views.js'
import { aStep } from '../../../tests/support/steps.js'
import { aWorld } from '../../../tests/support/worlds.js'
import { unprovenVm } from '../../findings/notes/machines.js'
import { otherHost } from '../../findings/notes/placement.js'
import { plainDigest } from '../../plan/digest.js'
import type { Plan, PlannedStep } from '../../plan/plan.js'
import type { PlanFacts } from '../../plan/view/machine-rows.js'
import { textStyle } from '../text-style.js'
import { planText } from './plan-text.js'
import { stepsText } from './steps-text.js'

const GiB = 1024 ** 3
const plain = textStyle({}, {})

const step = (kind: string, machine: string | undefined, more: Partial<PlannedStep> = {}): PlannedStep =>
  aStep(kind, {
    id: `${kind}:${machine ?? ''}`,
    title: `${kind} ${machine ?? ''}`.trim(),
    reason: 'new machine',
    ...(machine === undefined ? {} : { machine }),
    ...more,
  })
const wanted = (name: string, host: string, vmid: number, address: string) => {
  const machine = { name, cpu: 4, memory: 8 * GiB, disks: [], extensions: [] }
  const disks = [{ slot: 'scsi0', datastore: 'local-lvm', size: 40 * GiB, flags: {} }]
  return { machine, host, vmid, address, disks }
}
const seen = (name: string, host: string, vmid: number) => ({ name, host, vmid })

const facts: PlanFacts = {
  desired: {
    cluster: {
      name: 'prod',
      target: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
      endpoint: 'https://10.20.1.5:6443',
    },
    machines: [wanted('prod-cp-1', 'pve1', 2000, '10.20.1.10'), wanted('prod-wk-9', 'pve2', 3008, '10.20.1.29')],
    addons: [{ name: 'cilium', version: '1.19.6' }],
  },
  observed: {
    machines: [seen('prod-wk-9', 'pve2', 3008), seen('prod-wk-10', 'pve3', 3009)],
    templates: [{ name: 'prod-template-cp', host: 'pve1', vmid: 998 }],
    secrets: {},
  },
}
const made: Plan = {
  cluster: 'prod',
  rounds: 1,
  away: [],
  unknown: [],
  digester: plainDigest,
  notes: [
    unprovenVm.note('VM 104 has a mark of this cluster, and is a copy.', {
      subject: { kind: 'object', name: 'VM 104' },
    }),
  ],
  expected: aWorld([]),
  steps: [
    step('make-secrets', undefined),
    step('fetch-image', undefined),
    step('claim-machine', 'prod-cp-1'),
    step('start-machine', 'prod-cp-1'),
    step('grow-disk', 'prod-wk-9', { reason: 'disk scsi0 40 GiB -> 60 GiB, grows in place' }),
    step('restart-vm', 'prod-wk-9', { reason: 'memory 8 -> 6 GiB', disruptive: true }),
    step('uncordon-node', 'prod-wk-9', { reason: 'it is back', follows: true }),
    step('delete-machine', 'prod-wk-10', {
      reason: 'no longer in the inventory',
      disruptive: true,
      loses: ['disk scsi1 (200 GiB) of prod-wk-10'],
    }),
    step('install-addon', undefined, { args: { addon: 'cilium' } }),
  ],
}

const viewed = (change: Partial<Plan> = {}) => aViewOf({ ...made, ...change }, facts)
const plan = viewed()

test('a plan is a table of machines with their sizes, what happens to them, and what is lost', () => {
  const text = planText(plan, { style: plain, width: 100, stepsHint: 'ichor plan --steps' })
  expect(text.split('\n')).toEqual([
    'prod on pve1, pve2, pve3, Talos v1.13.9, Kubernetes v1.36.3, https://10.20.1.5:6443',
    '',
    '  + prod-cp-1   pve1  VM 2000  10.20.1.10  4 vCPU  8 GiB  40 GiB',
    '  ~ prod-wk-9   pve2  VM 3008',
    '                disk scsi0 40 GiB -> 60 GiB, grows in place',
    '                memory 8 -> 6 GiB (interrupts it)',
    '  - prod-wk-10  pve3  VM 3009',
    '                no longer in the inventory',
    '                LOSES disk scsi1 (200 GiB) of prod-wk-10',
    '  + addons      cilium 1.19.6',
    '  + once        cluster secrets, Talos image on 1 host',
    '',
    '1 machine to create, 1 to change, 1 to delete; one machine is interrupted.',
    'Every step and its reason: ichor plan --steps',
    'note  VM 104 has a mark of this cluster, and is a copy.',
    '',
  ])
})

test.each([40, 80, 200])('at %i columns no line is wider', (width) => {
  const layout = { style: plain, width, stepsHint: 'ichor plan --steps' }
  for (const text of [planText(plan, layout), stepsText(plan, layout)]) {
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width)
  }
})

test('in the list of steps a deletion is never a plus, and the reason stands beside the step', () => {
  const lines = stepsText(plan, { style: plain, width: 200 }).split('\n')
  expect(lines).toContain(
    '  - delete-machine prod-wk-10  no longer in the inventory  LOSES disk scsi1 (200 GiB) of prod-wk-10',
  )
  expect(lines).toContain('  + claim-machine prod-cp-1  new machine')
  expect(lines).toContain('  ! restart-vm prod-wk-9  memory 8 -> 6 GiB')
  expect(lines).toContain('9 steps to prod.')
})

test('how long machines are interrupted is said where every step of it has run here before', () => {
  const both = (name: string) => [
    step('drain-node', name, { disruptive: true }),
    step('restart-vm', name, { reason: 'memory 8 -> 6 GiB', disruptive: true }),
    step('await-back', name, { changes: false }),
  ]
  const summaryWith = (expected: Map<string, number>, ...names: string[]) =>
    planText(viewed({ steps: names.flatMap(both) }), { style: plain, width: 200, expected })
  const known = new Map([
    ['drain-node', 5000],
    ['restart-vm', 20_000],
    ['await-back', 15_000],
  ])
  expect(summaryWith(known, 'prod-wk-9')).toContain('one machine is interrupted for about 40 s.')
  expect(summaryWith(known, 'prod-wk-9')).toContain(' About 20 s.')
  known.delete('await-back')
  const text = summaryWith(known, 'prod-wk-9')
  expect(text).toContain('one machine is interrupted.')
  expect(text).not.toContain('bout')
})

test('the same machines are in the JSON', () => {
  expect(plan.machines).toMatchObject([
    { name: 'prod-cp-1', action: 'create', host: 'pve1', vmid: 2000, cpu: 4, memory: 8 * GiB, loses: [] },
    { name: 'prod-wk-9', action: 'change' },
    { name: 'prod-wk-10', action: 'delete', loses: ['disk scsi1 (200 GiB) of prod-wk-10'] },
  ])
})

test('a plan without steps, and one that only waits, say so', () => {
  const layout = { style: plain, width: 80 }
  expect(planText(viewed({ steps: [], notes: [] }), layout)).toBe('Nothing to do: prod matches the inventory.\n')
  const text = 'prod-cp-1: on pve1, but the inventory has pve2.'
  const differences = [otherHost.note(text, { subject: { kind: 'machine', name: 'prod-cp-1' } })]
  expect(planText(viewed({ steps: [], notes: [], differences }), layout)).toBe(
    'Nothing to do: prod differs from the inventory in one thing that ichor leaves as it is.\n',
  )
  const waiting = [
    step('await-ready', 'prod-cp-1', { title: 'wait for prod-cp-1', reason: 'not Ready', changes: false }),
  ]
  expect(planText(viewed({ steps: waiting, notes: [] }), layout)).toBe(
    'Nothing to change in prod; up would wait:\n  . wait for prod-cp-1: not Ready\n',
  )
})

test('a template is not counted as a machine', () => {
  const steps = [step('delete-machine', 'prod-wk-10'), step('delete-machine', 'prod-template-cp')]
  const text = planText(viewed({ steps }), { style: plain, width: 100 })
  expect(text).toContain('1 machine to delete.')
  expect(text).toMatch(/- prod-template-cp +pve1 {2}VM 998 {2}template/)
  expect(viewed({ steps }).machines.map(({ name }) => name)).toEqual(['prod-wk-10'])
})
