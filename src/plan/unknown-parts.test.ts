import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grave, roundOf } from '../../tests/support/grave-steps.js'
import { hidingOne, through, type View, views, wholeView } from '../../tests/support/views.js'
import { madeWithEverything, wanted } from '../../tests/support/wanting-everything.js'
import { stepNames } from '../../tests/support/worlds.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { storedImages } from '../operations/change/stored-images.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import { planRound } from '../rounds/plan-round.js'
import { unknownsOf } from './unknowns.js'

const runs = 12

/** Names of the hidden parts, at any depth of the value. */
function hiddenIn(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('seen' in value && value.seen === false) return [name]
  return Object.entries(value).flatMap(([key, part]) => hiddenIn(part, /^(value|\d+)$/.test(key) ? name : key))
}

/** Queried only during version upgrades; they lead to a note or a refusal of their own. */
const onTheWay = new Set(['releases', 'deprecated', 'charts'])

function isComplete(observed: Observed): boolean {
  const hidden = hiddenIn(observed).filter((name) => !onTheWay.has(name))
  const isHeard = observed.machines.every(({ talos }) => talos.reach === 'secured')
  return hidden.length === 0 && isHeard && observed.unverified.length === 0
}

test('every part of an observation that may be unknown is hidden in one view or another', () => {
  const source = readFileSync(new URL('../observe/observed.ts', import.meta.url), 'utf8')
  const declared = [...source.matchAll(/readonly (\w+)\??: Seen</g)].map(([, name]) => name ?? '')
  const hidden = new Set(fc.sample(views, { numRuns: 300, seed: 1 }).flatMap((view) => hiddenIn(see(view))))
  expect([...hidden].sort()).toEqual([...new Set(declared)].sort())
})

test('seen as a whole, it is as wanted, and there is nothing to do', () => {
  expect(stepNames(planRound(wanted.everything(madeWithEverything), madeWithEverything, 1))).toEqual([])
  expect(unknownsOf(wanted.everything(madeWithEverything), madeWithEverything)).toEqual([])
})

function see(view: View): Observed {
  return through(view, madeWithEverything)
}

/** Step kinds that remove things which were not observed to be ours and unwanted. */
const removals: Readonly<Record<string, (observed: Observed) => boolean>> = {
  'remove-firewall-groups': ({ proxmox, machines }) =>
    proxmox.firewall?.seen === true && machines.every(({ rules }) => rules?.seen === true),
  'remove-vm-firewall': ({ proxmox }) => proxmox.firewall?.seen === true,
  'remove-backup-job': ({ proxmox }) => proxmox.backupJobs?.seen === true,
  'remove-high-availability': ({ proxmox }) => proxmox.ha?.seen === true,
  'drop-ha-rules': ({ proxmox }) => proxmox.ha?.seen === true,
}

/** Nothing is removed because it was not observed, and nothing unobserved counts as finished. */
function isCareful(desire: (observed: Observed) => Desired, observed: Observed): void {
  const desired = desire(observed)
  const steps = roundOf(desired, observed)
  for (const { kind, machine } of steps ?? []) {
    expect(removals[kind]?.(observed) ?? true, kind).toBe(true)
    if (!grave.has(kind)) continue
    const isWanted = desired.machines.some((one) => one.machine.name === machine)
    expect([isWanted, observed.kubernetes.seen], `${kind} ${machine}`).toEqual([false, true])
  }
  if (steps?.length === 0 && !isComplete(observed)) expect(unknownsOf(desired, observed)).not.toEqual([])
}

test.each(Object.entries(wanted))(
  'whatever else is hidden, nothing is taken for gone or finished: wanted is %s',
  (_name, desire) => {
    fc.assert(
      fc.property(views, (view) => isCareful(desire, see(view))),
      { numRuns: runs },
    )
  },
)

test.each(hidingOne)('only %s is hidden, and nothing is taken for gone or finished', (_what, change) => {
  for (const desire of [wanted.everything, wanted['nothing of it any more']]) isCareful(desire, see(change(wholeView)))
})

test('keys are rotated only while everything is seen', () => {
  const rotating = { what: 'talos-ca', run: 'run-1', fresh: { crt: '', key: '' } } as const
  const begins = (view: View) => {
    const observed = see(view)
    const desired: Desired = wanted.everything(observed)
    const steps = roundOf({ ...desired, cluster: { ...desired.cluster, intent: { rotating } } }, observed) ?? []
    return steps.some(({ kind }) => kind === 'begin-rotation')
  }
  expect(begins(wholeView)).toBe(true)
  for (const [what, hide] of hidingOne)
    if (!isComplete(see(hide(wholeView)))) expect(begins(hide(wholeView)), what).toBe(false)
})

test('a cluster is destroyed only where nothing of it would stay behind unseen', () => {
  const isDestroyed = (observed: Observed) => {
    const { backupJob: _job, highAvailability: _ha, vmFirewall: _firewall, ...rest } = wanted.everything(observed)
    return roundOf({ ...rest, machines: [], away: [] }, observed, planDestroyRound) !== undefined
  }
  expect(isDestroyed(see(wholeView))).toBe(true)
  for (const [what, hide] of hidingOne) {
    const observed = see(hide(wholeView))
    const { backupJobs, ha, firewall, contents } = observed.proxmox
    const isHidden = hiddenIn({ backupJobs, ha, firewall, contents }).length + observed.unverified.length > 0
    if (isHidden) expect(isDestroyed(observed), what).toBe(false)
  }
})

test('no image is called unused that would be in use if everything were seen', () => {
  const unused = (observed: Observed) => {
    const volumes = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'].map((id) => ({
      volid: `local:import/talos-v1.13.9-${id}-nocloud-amd64.qcow2`,
      content: 'import',
      format: 'qcow2',
      size: 1,
    }))
    const machines = observed.machines.map((machine) => ({
      ...machine,
      options: { ...machine.options, ide2: `${volumes[0]?.volid},media=cdrom` },
    }))
    const shelves = [{ host: 'pve1', isShared: true, volumes }]
    const images = storedImages(shelves, wanted.everything(observed), { ...observed, machines })
    return images.filter(({ used_by }) => used_by.length === 0).map(({ volid }) => volid)
  }
  const whenSeen = unused(madeWithEverything)
  expect(whenSeen).toHaveLength(1)
  fc.assert(
    fc.property(views, (view) => {
      expect(whenSeen).toEqual(expect.arrayContaining(unused(see(view))))
    }),
    { numRuns: runs },
  )
})
