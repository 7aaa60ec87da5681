import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grave, roundOf } from '../../tests/support/grave-steps.js'
import { anInventory } from '../../tests/support/inventories.js'
import { blindedTalos, clusters, hosts, noKubernetes, through, views } from '../../tests/support/views.js'
import { aWorld, carriedOut, planOf, specFor, stepNames } from '../../tests/support/worlds.js'
import { unseen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { planRound } from '../rounds/plan-round.js'
import { unknownsOf } from './unknowns.js'

const runs = 400

test('what is not seen is never taken for gone: nothing is deleted, reset, stopped, made again or bootstrapped for it', () => {
  let planned = 0
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const steps = roundOf(clusters[view.controlPlanes].spec(observed), observed)
      expect(stepNames(steps?.filter(({ kind }) => grave.has(kind)) ?? [])).toEqual([])
      if (steps !== undefined) planned++
    }),
    { numRuns: runs },
  )
  expect(planned).toBeGreaterThan(runs / 4)
})

/** By the number of existing control planes: the inventory has one worker fewer, and three control planes instead of five. */
const fewer = {
  1: specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts })),
  3: specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts })),
  5: specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts })),
}

test('an unwanted machine is removed only if everything that is lost with it was observed', () => {
  let removals = 0
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const desired = fewer[view.controlPlanes](observed)
      const steps = (roundOf(desired, observed) ?? []).filter(({ kind }) => grave.has(kind))
      for (const { kind, machine } of steps) {
        const seenOne = observed.machines.find(({ name }) => name === machine)
        expect(
          desired.machines.some((wanted) => wanted.machine.name === machine),
          `${kind} ${machine}`,
        ).toBe(false)
        expect(seenOne, `${kind} ${machine}`).toBeDefined()
        expect(observed.kubernetes.seen).toBe(true)
        if (seenOne?.mark.role === 'controlplane') expect(observed.etcd.seen).toBe(true)
        removals++
      }
    }),
    { numRuns: runs },
  )
  expect(removals).toBeGreaterThan(0)
})

test('a template that cannot be read is not made a second time', async () => {
  const boot = { talos: { boot: 'template' } }
  const two = specFor(await anInventory({ workers: 2, with: boot }))
  const three = specFor(await anInventory({ workers: 3, with: boot }))
  const empty = aWorld(['pve1'])
  const made = carriedOut(planOf(two, empty).steps, two(empty), empty)
  const kinds = (observed: Observed) => roundOf(three(observed), observed)?.map(({ kind }) => kind)
  expect(kinds(made)).not.toContain('make-template')
  expect(kinds({ ...made, templates: [] })).toContain('make-template')
  const unverified = made.templates.map(({ host, vmid }) => ({
    host,
    vmid,
    because: 'unread' as const,
    mayBeTemplate: true,
    text: `VM ${vmid} is on ${host}, which does not answer.`,
  }))
  expect(kinds({ ...made, templates: [], unverified })).toBeUndefined()
})

test('a plan without steps is not called finished while etcd, Kubernetes or a wanted machine is unknown', () => {
  fc.assert(
    fc.property(views, (view) => {
      const observed = through(view)
      const desired = clusters[view.controlPlanes].spec(observed)
      const steps = roundOf(desired, observed)
      const isUnread = observed.proxmox.contents.some(({ volumes }) => !volumes.seen)
      const isBlind = !observed.etcd.seen || !observed.kubernetes.seen || observed.unverified.length > 0 || isUnread
      const isSilent = observed.machines.some(({ talos }) => talos.reach !== 'secured')
      if (steps?.length === 0 && (isBlind || isSilent)) expect(unknownsOf(desired, observed)).not.toEqual([])
    }),
    { numRuns: runs },
  )
})

test('a machine whose config could not be read is not called as it should be', () => {
  for (const { spec, made } of Object.values(clusters)) {
    const [first, ...others] = made.machines
    if (first === undefined) throw new Error('machines were made')
    const machines = [{ ...first, talos: blindedTalos(first.talos, { isConfigSeen: false }) }, ...others]
    const observed = { ...made, machines }
    const desired = spec(observed)
    const isOpen = planRound(desired, observed, 1).length > 0 || unknownsOf(desired, observed).length > 0
    expect(isOpen).toBe(true)
  }
})

test('a cluster of which everything is seen and well leaves nothing to do and nothing unknown', () => {
  for (const { spec, made } of Object.values(clusters)) {
    expect(stepNames(planRound(spec(made), made, 1))).toEqual([])
    expect(unknownsOf(spec(made), made)).toEqual([])
  }
})

test('unwanted control planes stay until etcd is observed', async () => {
  const { made } = clusters[5]
  const three = specFor(await anInventory({ controlPlanes: 3, workers: 2, hosts }))
  const blind: Observed = { ...made, etcd: unseen('nobody answers') }
  const graveOnes = (observed: Observed) =>
    planRound(three(observed), observed, 1).filter(({ kind }) => grave.has(kind))
  expect(stepNames(graveOnes(blind))).toEqual([])
  expect(stepNames(graveOnes(made))).toContain('reset-machine:dev-cp-5')
})

test('a plan made while no node can be reached shows no removal of a control plane in any of its rounds', async () => {
  const { made } = clusters[5]
  const three = specFor(await anInventory({ controlPlanes: 3, workers: 2, hosts }))
  const machines = made.machines.map(({ node: _, ...machine }) => ({
    ...machine,
    talos: blindedTalos(machine.talos, { isHeard: false }),
  }))
  const blind: Observed = { ...made, machines, etcd: unseen('nobody answers'), kubernetes: noKubernetes }
  expect(stepNames(planOf(three, blind).steps.filter(({ kind }) => grave.has(kind)))).toEqual([])
})

test('a mark records a bootstrap and the secrets do not: control planes that are off are started, and no etcd is bootstrapped', () => {
  const { spec, made } = clusters[3]
  const isControlPlane = ({ mark }: ObservedMachine) => mark.role === 'controlplane'
  const off = made.machines.map(({ node: _, ...machine }) =>
    isControlPlane(machine) ? { ...machine, status: 'stopped' as const, talos: { reach: 'off' as const } } : machine,
  )
  const machines = off
    .filter(({ name }) => name !== 'dev-cp-2')
    .map((machine) =>
      machine.name === 'dev-cp-1' ? { ...machine, mark: { ...machine.mark, bootstrap: 'done' as const } } : machine,
    )
  const secrets = { ...made.secrets, bootstrapped: false }
  const blind: Observed = { ...made, machines, secrets, etcd: unseen('nobody answers'), kubernetes: noKubernetes }
  const steps = stepNames(planOf(spec, blind).steps)
  expect(steps).toEqual(expect.arrayContaining(['start-machine:dev-cp-1', 'start-machine:dev-cp-3']))
  expect(steps.filter((step) => step.startsWith('bootstrap-etcd'))).toEqual([])
})

test('workers are neither restarted nor removed while their pods cannot be listed', async () => {
  const { spec, made } = clusters[3]
  const one = specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts }))
  const pending = made.machines.map((machine) =>
    machine.mark.role === 'worker' ? { ...machine, pending: ['cores'] } : machine,
  )
  const blind = (machines: readonly ObservedMachine[]): Observed => ({
    ...made,
    machines: machines.map(({ node: _, ...machine }) => machine),
    kubernetes: noKubernetes,
  })
  const kindsOf = (desire: (observed: Observed) => Desired, observed: Observed) =>
    new Set(planRound(desire(observed), observed, 1).map(({ kind }) => kind))
  expect(kindsOf(spec, { ...made, machines: pending })).toContain('restart-vm')
  expect(kindsOf(spec, blind(pending))).not.toContain('restart-vm')
  expect(kindsOf(one, made)).toContain('delete-machine')
  expect([...kindsOf(one, blind(made.machines))].filter((kind) => grave.has(kind))).toEqual([])
})
