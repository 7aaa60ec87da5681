import { expect, test } from 'vitest'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { createClock } from '../clock.js'
import { deriveIdentity } from '../cluster/identity.js'
import { type Mark, readMark, writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

const controlPlanes = ['cp-1', 'cp-2', 'cp-3']
const machine = 'cp-1'
const vmids = { 'cp-1': 2000, 'wk-1': 3000 }

const context = (cluster: object = {}) =>
  ({
    desired: {
      machines: [
        ...controlPlanes.map((name) => ({ machine: { name, role: 'controlplane' }, address: name })),
        { machine: { name: 'wk-1', role: 'worker' }, address: 'wk-1' },
      ],
      templates: [],
      cluster: { id: 'c1', ...cluster },
    },
    observed: { machines: Object.entries(vmids).map(([name, vmid]) => ({ name, host: 'pve1', vmid })), templates: [] },
    signal: AbortSignal.timeout(10_000),
  }) as unknown as StepContext

/** An etcd of all control planes, of which some answer; learners and those without a leader do not count. */
function anEtcd(healthy: readonly string[], others: object = { leader: '0' }): World {
  const node = ({ machine: name }: { machine: string }) => ({
    resources: { systemUuid: async () => deriveIdentity('dev', name).uuid },
    etcd: {
      status: async () => (healthy.includes(name) ? { leader: 'a1', isLearner: false } : others),
      members: async () => controlPlanes.map((hostname) => ({ id: `id-${hostname}`, hostname })),
    },
  })
  const findConfig = async ({ vmid }: { vmid: number }) => ({
    options: markedOptions(undefined, vmid === vmids['wk-1'] ? 'wk-1' : machine),
    digest: 'd',
  })
  return { talos: { node }, proxmox: { machines: { findConfig } } } as unknown as World
}

const pausing = ['restart-vm', 'reboot-with-config', 'reset-machine']
const lost = ['remove-etcd-member']

test.each<{ kinds: string[]; healthy: string[]; others?: object; refused: RegExp | undefined }>([
  { kinds: pausing, healthy: ['cp-1', 'cp-2', 'cp-3'], refused: undefined },
  { kinds: pausing, healthy: ['cp-1', 'cp-2'], refused: /without cp-1 it would lose its majority/ },
  {
    kinds: pausing,
    healthy: ['cp-1', 'cp-2'],
    others: { leader: 'a1', isLearner: true },
    refused: /without cp-1 it would lose its majority/,
  },
  { kinds: lost, healthy: ['cp-2', 'cp-3'], refused: undefined },
  { kinds: lost, healthy: ['cp-2'], refused: /etcd has no majority: 1 of 3 members are healthy, and 2 are needed/ },
  { kinds: lost, healthy: ['cp-1', 'cp-2', 'cp-3'], refused: /The etcd member of cp-1 answers: it is not lost/ },
])(
  'of three members $healthy are well, as they say right then: $kinds of cp-1 is refused with $refused',
  async (row) => {
    for (const kind of row.kinds) {
      const args = { machine, address: machine, isControlPlane: true, member: 'id-cp-1' }
      const guard = stepOf(kind).guard?.(args, anEtcd(row.healthy, row.others), context())
      if (row.refused === undefined) await guard
      else await expect(guard, kind).rejects.toThrow(row.refused)
    }
  },
)

test.each(['restart-vm', 'reboot-with-config'])('%s of a worker asks no etcd', async (kind) => {
  await stepOf(kind).guard?.({ machine: 'wk-1' }, anEtcd([]), context())
})

test.each(['reset-machine', 'reboot-with-config', 'change-config'])(
  '%s happens only where the machine answers itself',
  async (kind) => {
    const guard = async (uuid: string) => {
      const { talos, ...world } = anEtcd(controlPlanes)
      const node = (target: Parameters<typeof talos.node>[0]) => ({
        ...talos.node(target),
        resources: { systemUuid: async () => uuid },
      })
      const elsewhere = { ...world, talos: { node } } as unknown as World
      await stepOf(kind).guard?.({ machine, address: machine, isControlPlane: false }, elsewhere, context())
    }
    await guard(deriveIdentity('dev', machine).uuid)
    await expect(guard(deriveIdentity('dev', 'wk-1').uuid)).rejects.toThrow('What answers at cp-1 is not cp-1')
  },
)

test('a machine that was never in etcd is reset without asking that', async () => {
  await stepOf('reset-machine').guard?.({ machine, address: machine, isControlPlane: false }, anEtcd([]), context())
})

/** The VM of the machine, whose mark may tell of a bootstrap. */
function markedOptions(bootstrap: Mark['bootstrap'], name: keyof typeof vmids = machine) {
  const mark = aMark(name, vmids[name], bootstrap === undefined ? {} : { bootstrap })
  return { description: writeMark('', mark), ...hardwareOf(name) }
}

test.each<{ bootstrapped: boolean; bootstrap?: Mark['bootstrap']; newEtcd?: boolean; isAllowed: boolean }>([
  { bootstrapped: false, isAllowed: true },
  { bootstrapped: true, isAllowed: false },
  { bootstrapped: true, bootstrap: 'done', isAllowed: false },
  { bootstrapped: true, bootstrap: 'asked', isAllowed: true },
  { bootstrapped: true, newEtcd: true, isAllowed: true },
])(
  'never a second bootstrap, unless nobody saw the first or it is given up: %o',
  async ({ bootstrapped, bootstrap, newEtcd, isAllowed }) => {
    const options = markedOptions(bootstrap)
    const world = {
      secrets: { find: async () => ({ memory: { bootstrapped } }) },
      proxmox: { machines: { findConfig: async () => ({ options, digest: 'd' }) } },
    } as unknown as World
    const guard = stepOf('bootstrap-etcd').guard?.({ machine }, world, context(newEtcd === true ? { newEtcd } : {}))
    if (isAllowed) await guard
    else await expect(guard).rejects.toThrow('A second, empty one would lose everything.')
  },
)

test('the bootstrap is written into the mark and the secrets before it is asked for', async () => {
  const order: string[] = []
  let options = markedOptions(undefined)
  options = { ...options, description: `my notes\n\n${options.description}` }
  const setOptions = async (_vm: unknown, { set }: { set: { description: string } }) => {
    options = { ...options, ...set }
    order.push(`mark: ${readMark(set.description)?.bootstrap}`)
  }
  const node = () => ({
    etcd: { members: async () => (order.includes('bootstrap') ? [{ id: 'id-cp-1' }] : []) },
    bootstrap: async () => {
      order.push('bootstrap')
      return true
    },
  })
  const world = {
    secrets: { remember: async (memory: object) => void order.push(`secrets: ${JSON.stringify(memory)}`) },
    proxmox: { machines: { findConfig: async () => ({ options, digest: 'd' }), setOptions } },
    talos: { node },
    clock: createClock(1000),
  } as unknown as World
  const leased = { ...context(), note: () => undefined, assertLease: () => undefined }
  await stepOf('bootstrap-etcd').run({ machine }, world, leased)
  expect(order).toEqual(['mark: asked', 'secrets: {"bootstrapped":true}', 'bootstrap', 'mark: done'])
  expect(options.description).toMatch(/^my notes\n\n```ichor/)
})
