import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import { createClock } from '../clock.js'
import type { World } from '../world.js'

const desired = await aDesired({ controlPlanes: 3 })
const step = stepOf('await-kubernetes', {})
const seen = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'].map((name, index) => aSeenMachine(name, 2000 + index))

/** A cluster whose etcd was bootstrapped and whose Kubernetes never answers. */
function silentKubernetes(etcd: string | undefined): World {
  return aStub<World>({
    clock: createClock(100_000),
    secrets: { find: async () => ({ memory: { bootstrapped: true } }) },
    talos: { node: () => ({ services: async () => [{ id: 'etcd', state: etcd ?? 'Preparing' }] }) },
    kubernetes: { at: () => ({ version: async () => Promise.reject(new Error('connection refused')) }) },
  })
}

test.each([
  {
    what: 'made by this run and runs etcd',
    machines: [],
    etcd: 'Running',
    message: /^Waited .* for the Kubernetes API/,
  },
  { what: 'seen before and runs etcd', machines: seen, etcd: 'Running', message: /^Waited .* for the Kubernetes API/ },
  {
    what: 'seen before and has no etcd',
    machines: seen,
    etcd: undefined,
    message: /none of its control planes has the data/,
  },
])(
  'without an answer of Kubernetes, etcd is called lost only if no control plane runs it: $what',
  async ({ machines, etcd, message }) => {
    const context = aContext({
      desired,
      observed: { ...aWorld(['pve1']), machines },
      world: silentKubernetes(etcd),
    })
    await expect(step.run(context)).rejects.toThrow(message)
  },
)
