import { expect, test } from 'vitest'
import { type Change, changing, healthyFacts, observing, ofProxmox } from '../../tests/support/facts.js'
import { afterMishap, aWorld, planOf, specFor } from '../../tests/support/worlds.js'
import type { PlanView } from '../events/plan-view.js'
import type { Facts } from '../findings/facts.js'
import { lostQuorum } from '../findings/refusals/proxmox.js'
import { errorReport, errorText } from '../report/error.js'
import { planText } from '../report/plan/plan-text.js'
import { textStyle } from '../report/text-style.js'
import { up } from './goals.js'
import { findingsBesideRefusal } from './plan-findings.js'
import { shownPlan } from './shown-plan.js'

const plain = textStyle({}, {})

async function planWith({ inventory, observed }: Facts): Promise<PlanView> {
  const desire = specFor(inventory)
  const basis = { spec: { inventory, addons: [] }, observed, desired: desire(observed) }
  return shownPlan(up, planOf(desire, observed), basis)
}

const healthy = await healthyFacts()
const withDefects = (...changes: Change[]) => changes.reduce((facts, change) => change(facts), healthy)
const codesOf = ({ findings }: PlanView) => findings.map(({ code, subject }) => `${code} ${subject.name}`)

const lockedWorker = changing('dev-wk-1', () => ({ lock: 'snapshot' }))
const stoppedWorker = changing('dev-wk-2', () => ({ status: 'stopped', talos: { reach: 'off' } }))
const lostWorker = observing((observed) => afterMishap(observed, 'dev-wk-2', 'it is gone'))

test('a plan has the findings of a doctor that it does not change, also in the text of a terminal', async () => {
  const view = await planWith(withDefects(lockedWorker, lostWorker))
  expect(view.machines).toMatchObject([{ name: 'dev-wk-2', action: 'create' }])
  expect(codesOf(view)).toEqual(['ICH0309 dev-wk-1'])
  const text = planText(view, { style: plain, width: 200 })
  expect(text).toContain('warn  The VM of dev-wk-1 is locked by Proxmox: snapshot.')
  expect(text).toContain('(ICH0309)')
  expect(JSON.parse(JSON.stringify(view)).findings).toEqual(view.findings)
})

test('the first plan of a cluster, and that of a healthy one, find nothing', async () => {
  expect(codesOf(await planWith({ ...healthy, observed: aWorld(['pve1', 'pve2', 'pve3']) }))).toEqual([])
  expect(codesOf(await planWith(healthy))).toEqual([])
})

test('what a plan notes stands once among its findings, and as text among its notes', async () => {
  const view = await planWith(withDefects(changing('dev-wk-1', () => ({ lock: 'migrate' }))))
  expect(codesOf(view)).toEqual(['ICH0309 dev-wk-1'])
  expect(view.notes).toEqual([expect.stringContaining('is locked by a migration that still runs or was killed')])
  expect(planText(view, { style: plain, width: 300 }).match(/locked/g)).toHaveLength(1)
})

test('a refusal shows what else does not fit, without what the refused run would do', async () => {
  const { inventory, observed } = withDefects(
    ofProxmox(() => ({ quorate: false })),
    stoppedWorker,
    lockedWorker,
  )
  const refused = lostQuorum.refuse('No.', {
    subject: { kind: 'cluster', name: 'Proxmox' },
    where: 'here',
    fix: 'Wait.',
  })
  refused.beside = await findingsBesideRefusal(refused, { spec: { inventory, addons: [] }, observed })
  expect(errorReport(refused).error.findings?.map(({ code }) => code)).toEqual(['ICH0250', 'ICH0201', 'ICH0309'])
  expect(errorText(refused, plain)).toContain(
    'also   The Proxmox cluster has lost its quorum and accepts no changes. (ICH0201)',
  )
})
