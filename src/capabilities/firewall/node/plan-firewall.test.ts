import { expect, test } from 'vitest'
import { anInventory } from '../../../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor, stepNames } from '../../../../tests/support/worlds.js'
import { ifSeen, seen } from '../../../cluster/seen.js'
import type { Observed, ObservedMachine } from '../../../observe/observed.js'

const hosts = ['pve1']
const firewall = { enabled: true, admin_networks: ['192.168.7.0/24'] }

async function walled(more: object = {}) {
  return specFor(
    await anInventory({ controlPlanes: 1, workers: 1, hosts, with: { firewall: { ...firewall, ...more } } }),
  )
}

/** A running cluster with its firewall. */
async function standing() {
  const spec = await walled()
  const empty = aWorld(hosts)
  const { steps } = planOf(spec, empty)
  return { steps, made: carriedOut(steps, spec(empty), empty) }
}

function ofFirewall(steps: Parameters<typeof stepNames>[0]): string[] {
  return stepNames(steps).filter((name) => name.includes('firewall'))
}

test('a new cluster gets its firewall when everything else is done, control planes first', async () => {
  const { steps } = await standing()
  expect(ofFirewall(steps)).toEqual(['set-firewall:dev-cp-1', 'set-firewall:dev-wk-1'])
  const first = steps.findIndex(({ kind }) => kind === 'set-firewall')
  expect(steps.slice(first).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['set-firewall', 'await-back', 'check-health']),
  )
  expect(steps.slice(first).every(({ round }) => round === steps[first]?.round)).toBe(true)
})

test('what is as wanted is left alone; another policy is tried, and one that is off is removed with the config', async () => {
  const { made } = await standing()
  expect(planOf(await walled(), made).steps).toEqual([])
  const opened = planOf(await walled({ open_ports: [{ port: 443 }] }), made).steps
  expect(opened.filter(({ kind }) => kind === 'set-firewall').map(({ reason }) => reason)).toEqual([
    'rules for open-tcp-443',
    'rules for open-tcp-443',
  ])
  const off = planOf(await walled({ enabled: false }), made).steps
  expect(stepNames(off)).toContain('change-config:dev-cp-1')
  expect(ofFirewall(off)).toEqual([])
})

test('rules that a killed run left unconfirmed are waited for, and nothing else happens before', async () => {
  const { made } = await standing()
  const tried = { ...made, machines: made.machines.map(forgetful) }
  const { steps } = planOf(await walled(), tried)
  expect(stepNames(steps.filter(({ round }) => round === 1))).toEqual([
    'await-firewall:dev-cp-1',
    'await-firewall:dev-wk-1',
  ])
  expect(ofFirewall(steps.filter(({ round }) => round > 1))).toEqual(['set-firewall:dev-cp-1', 'set-firewall:dev-wk-1'])
})

/** The config on its disk has no rules. */
function forgetful(machine: ObservedMachine): Observed['machines'][number] {
  const { talos } = machine
  if (talos.reach !== 'secured') return machine
  const [open = ''] = (ifSeen(talos.config) ?? '').split(/^---\n(?=apiVersion: v1alpha1\nkind: NetworkD)/m)
  return { ...machine, talos: { ...talos, persisted: seen(open) } }
}
