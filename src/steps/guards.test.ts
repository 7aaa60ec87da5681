import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { stepKinds, stepOf } from '../capabilities/steps.js'
import { deriveIdentity } from '../cluster/identity.js'
import type { World } from '../world.js'

const controlPlanes = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']
const machine = 'dev-cp-1'
const desired = await aDesired({ controlPlanes: 3, workers: 1 })
const machines = [aSeenMachine(machine, 2000), aSeenMachine('dev-wk-1', 3000)]
const context = aContext({ desired, observed: { ...aWorld(['pve1']), machines } })

/** An etcd on all control planes, some of which respond. Machines report their own UUIDs by default. */
function anEtcd(
  healthy: readonly string[],
  uuidOf = (name: string) => deriveIdentity('dev', name).uuid,
  bootstrapped = true,
): World {
  return aStub<World>({
    secrets: { find: async () => ({ memory: { bootstrapped } }) },
    kubernetes: { at: () => ({ nodes: async () => [] }) },
    proxmox: {
      machines: {
        findConfig: async ({ vmid }) => {
          const options = machines.find((one) => one.vmid === vmid)?.options
          return options === undefined ? undefined : { options, digest: 'd' }
        },
        setOptions: async () => undefined,
        findStatus: async () => ({ status: 'running' }),
      },
    },
    talos: {
      node: ({ machine: name }) => ({
        resources: { systemUuid: async () => uuidOf(name) },
        bootTime: async () => 0,
        etcd: {
          status: async () => ({ member: `id-${name}`, leader: healthy.includes(name) ? 'a1' : '0', isLearner: false }),
          members: async () => controlPlanes.map((hostname) => ({ id: `id-${hostname}`, hostname, peerUrls: [] })),
        },
      }),
    },
  })
}

const restart = stepOf('restart-vm', { machine, keys: [] })
const reboot = stepOf('reboot-with-config', { machine })
const reset = stepOf('reset-machine', { machine })
const stop = stepOf('stop-machine', { machine, because: 'removal' })
const remove = stepOf('delete-machine', { machine })
const lost = stepOf('remove-etcd-member', { machine })
const all = controlPlanes

test.each([
  { steps: [restart, reboot, reset], healthy: all, refused: undefined },
  { steps: [restart, reboot, reset], healthy: all.slice(0, 2), refused: /without dev-cp-1 it would lose its majority/ },
  { steps: [restart, reboot, reset, stop, remove], healthy: [], refused: /^etcd cannot be seen/ },
  { steps: [stop, remove], healthy: all.slice(1), refused: /is still a member of etcd/ },
  { steps: [lost], healthy: all.slice(1), refused: undefined },
  { steps: [lost], healthy: all.slice(1, 2), refused: /1 of 3 members are healthy, and 2 are needed/ },
  { steps: [lost], healthy: all, refused: /The etcd member of dev-cp-1 answers: it is not lost/ },
])('of three members $healthy are well, as they say right then: refused with $refused', async (row) => {
  for (const step of row.steps) {
    const guard = step.guard({ ...context, ...anEtcd(row.healthy) })
    if (row.refused === undefined) await guard
    else await expect(guard, step.kind).rejects.toThrow(row.refused)
  }
})

test('a member that fails after the first look at etcd stops the reset of another: etcd is asked again right before it', async () => {
  await reset.guard({ ...context, ...anEtcd(all) })
  await expect(reset.run({ ...context, ...anEtcd(all.slice(0, 2)) })).rejects.toThrow(
    /without dev-cp-1 it would lose its majority/,
  )
})

test.each([
  stepOf('restart-vm', { machine: 'dev-wk-1', keys: [] }),
  stepOf('reboot-with-config', { machine: 'dev-wk-1' }),
  stepOf('reset-machine', { machine: 'dev-wk-1' }),
  stepOf('stop-machine', { machine: 'dev-wk-1', because: 'removal' }),
  stepOf('delete-machine', { machine: 'dev-wk-1' }),
])('$kind of a worker asks no etcd', async (step) => {
  await step.guard({ ...context, ...anEtcd([]) })
})

test.each([
  stepOf('stop-machine', { machine, because: 'teardown' }),
  stepOf('delete-machine', { machine, teardown: true }),
])('$kind asks no etcd where the whole cluster goes', async (step) => {
  await step.guard(context)
})

test.each([reset, reboot, stepOf('change-config', { machine })])(
  '$kind happens only where the machine answers itself',
  async (step) => {
    await step.guard({ ...context, ...anEtcd(all) })
    const elsewhere = anEtcd(all, () => deriveIdentity('dev', 'dev-wk-1').uuid)
    await expect(step.guard({ ...context, ...elsewhere })).rejects.toThrow(/^What answers at 10\.\S+ is not dev-cp-1/)
  },
)

/** Every way a step can interrupt a control plane while other members keep running. */
const takesAway: Readonly<Record<string, readonly object[]>> = {
  'restart-vm': [{ machine, keys: [] }],
  'reboot-machine': [{ machine, by: 'run' }],
  'reboot-with-config': [{ machine }],
  'restart-survivor': [{ machine }],
  'upgrade-machine': [{ machine, version: 'v1.13.9', by: 'reboot' }],
  'drain-node': [{ machine, purpose: { restart: ['memory'] } }],
  'reset-machine': [{ machine }],
  'stop-machine': [
    { machine, because: 'removal' },
    { machine, because: 'empty' },
  ],
  'delete-machine': [{ machine }],
}

/** Disruptive, but no risk to a majority. */
const leavesEtcdAlone: Readonly<Record<string, string>> = {
  'remove-addon': 'removes objects of Kubernetes',
  'shut-down-machine': 'the whole cluster is shut down',
  'shut-down-guest': 'is no member of etcd',
  'sync-manifests': 'changes objects of Kubernetes',
  'upgrade-part': 'restarts a part of Kubernetes beside etcd',
  'revive-machine': 'QEMU has given the VM up: it is gone already',
  'wipe-etcd': 'the secrets must say that etcd is replaced',
  'retire-control-plane': 'the secrets must say that etcd is replaced',
}

test('a control plane that is off is moved and started before etcd must do without another', async () => {
  const moving = desired.machines.map((one) => (one.machine.name === machine ? { ...one, moveTo: 'pve2' } : one))
  const leaving = { ...aSeenMachine(machine, 2000), stuck: ['a device of its host'] }
  const check = (status: 'running' | 'stopped') => {
    const observed = { ...aWorld(['pve1']), machines: [leaving, { ...aSeenMachine('dev-cp-3', 2002), status }] }
    return stepOf('check-evacuation', { host: 'pve1' }).guard(
      aContext({ desired: { ...desired, machines: moving }, observed, world: anEtcd(all.slice(0, 2)) }),
    )
  }
  await expect(check('running')).rejects.toThrow(/without dev-cp-1 it would lose its majority/)
  await check('stopped')
})

test('every kind of step that can take a control plane away is known here', () => {
  const known = [...Object.keys(takesAway), ...Object.keys(leavesEtcdAlone)].sort()
  expect(stepKinds.flatMap(({ kind, traits }) => (traits.disruptive ? [kind] : [])).sort()).toEqual(known)
})

test.each(Object.entries(takesAway).flatMap(([kind, all]) => all.map((args) => ({ kind, args }))))(
  '$kind $args does not happen while etcd cannot be seen, even where the secrets have forgotten it',
  async ({ kind, args }) => {
    const step = stepOf(kind, args)
    await expect(step.guard({ ...context, ...anEtcd([]) })).rejects.toThrow(/^etcd cannot be seen/)
    const forgetful: World = { ...anEtcd(all.slice(0, 2)), secrets: anEtcd([], undefined, false).secrets }
    await expect(step.guard({ ...context, ...forgetful })).rejects.toThrow(/lose its majority|still a member/)
  },
)
