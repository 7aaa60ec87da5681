import { expect, test } from 'vitest'
import { aDesired, withCluster } from '../../tests/support/contexts.js'
import { anInventory } from '../../tests/support/inventories.js'
import { aStep } from '../../tests/support/steps.js'
import { aWorld } from '../../tests/support/worlds.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { Desired } from '../desired/desired.js'
import { resolveDesired } from '../desired/resolve-desired.js'
import { deliverConfig } from '../steps/apply-config.js'
import { aBundle } from '../talos/config/testdata/a-machine.js'
import { createDigester, plainDigest } from './digest.js'
import { createDraft } from './draft.js'
import { identityOf, sameStep, sameSteps } from './step-identity.js'

const desired = await aDesired()
const { endpoint: _, ...cluster } = desired.cluster
const withoutEndpoint = { ...desired, cluster }

/** The step that applies the machine's config, as planned at that point. */
function delivery(wanted: Desired) {
  const draft = createDraft(wanted, aWorld(['pve1']), 1)
  draft.add(deliverConfig, { machine: 'dev-cp-1' }, 'a test')
  const [step] = draft.steps
  if (step === undefined) throw new Error('it was added')
  return step
}

const isSame = (shown: Desired, now: Desired) =>
  sameStep(identityOf(delivery(shown), plainDigest), delivery(now), plainDigest)

test('what was not known when a step was shown may become known; all else must stay as it was', () => {
  expect(delivery(withoutEndpoint).pending).toEqual(['endpoint'])
  expect(isSame(withoutEndpoint, desired)).toBe(true)
  expect(isSame(desired, desired)).toBe(true)
  expect(isSame(desired, withCluster(desired, { endpoint: 'https://10.0.0.99:6443' }))).toBe(false)
  expect(isSame(desired, withoutEndpoint)).toBe(false)
  expect(isSame(withoutEndpoint, withCluster(desired, { contract: 'v1.12' }))).toBe(false)
})

test('the config is covered before the secrets exist, and is the same config once they do', async () => {
  const inventory = await anInventory({ with: { talos: { sysctls: { 'vm.swappiness': '1' } } } })
  const wantedFrom = (sysctls: Record<string, string>, secrets: ClusterSpec['secrets']) => {
    const talos = { ...inventory.settings.talos, sysctls }
    const changed = { ...inventory, settings: { ...inventory.settings, talos } }
    const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
    const spec = { inventory: changed, secrets, patches, addons: [], intent: {}, until: 'healthy' as const }
    return resolveDesired(spec, aWorld(['pve1']))
  }
  const secrets = { bundle: aBundle(), memory: { bootstrapped: false, values: {} } }
  const shown = wantedFrom({ 'vm.swappiness': '1' }, undefined)
  expect(isSame(shown, wantedFrom({ 'vm.swappiness': '1' }, secrets))).toBe(true)
  expect(isSame(shown, wantedFrom({ 'vm.swappiness': '2' }, secrets))).toBe(false)
})

const deletion = (...loses: string[]) => aStep('delete-machine', { loses })

test.each([
  { shown: ['disk scsi1'], now: ['disk scsi1'], isAgreed: true },
  { shown: ['disk scsi1', 'disk scsi2'], now: ['disk scsi1'], isAgreed: true },
  { shown: ['disk scsi1'], now: [], isAgreed: true },
  { shown: [], now: ['disk scsi1'], isAgreed: false },
  { shown: ['disk scsi1'], now: ['disk scsi2'], isAgreed: false },
])('who agreed to lose $shown agreed to lose $now: $isAgreed', ({ shown, now, isAgreed }) => {
  expect(sameStep(identityOf(deletion(...shown), plainDigest), deletion(...now), plainDigest)).toBe(isAgreed)
})

const writing = (id: string, text: string) => aStep(id, { digest: (digester) => digester(text) })

test.each([
  { what: 'the same in another order', now: [writing('b', '2'), writing('a', '1')], isSameRound: true },
  { what: 'fewer', now: [writing('a', '1')], isSameRound: false },
  { what: 'more', now: [writing('a', '1'), writing('b', '2'), writing('c', '3')], isSameRound: false },
  { what: 'another step', now: [writing('a', '1'), writing('c', '2')], isSameRound: false },
  { what: 'other content', now: [writing('a', '1'), writing('b', '3')], isSameRound: false },
])('a round of $what repeats the one before: $isSameRound', ({ now, isSameRound }) => {
  expect(sameSteps([writing('a', '1'), writing('b', '2')], now, plainDigest)).toBe(isSameRound)
})

test('digests are keyed by the secrets, so that what is written cannot be guessed from them', () => {
  const ours = createDigester({ id: 'c1', secret: 's' })
  expect(ours({ a: 1, b: 2 })).toBe(ours({ b: 2, a: 1 }))
  const others = [createDigester({ id: 'c1', secret: 't' }), createDigester({ id: 'c2', secret: 's' }), plainDigest]
  for (const digester of others) expect(digester({ a: 1 })).not.toBe(ours({ a: 1 }))
  expect(createDigester(undefined)({ a: 1 })).toBe(plainDigest({ a: 1 }))
})
