import { expect, test } from 'vitest'
import { fake } from '../../../tests/support/fake.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import type { PlannedStep } from '../../plan/plan.js'
import { removeAddon } from '../../steps/install-addon.js'
import { refuseOtherPodNetwork } from './refuse-other-network.js'

const inventory = fake<Inventory>({ file: 'cluster.yaml', where: (path: string) => path } as never)
const machine = (fields: readonly string[]) =>
  fake<DesiredMachine>({
    machine: fake<DesiredMachine['machine']>({ name: 'dev-cp-1' }),
    talos: { differenceFrom: () => ({ fields }) },
  } as never)
const runs = fake<ObservedMachine>({
  name: 'dev-cp-1',
  talos: { reach: 'secured', config: { seen: true, value: 'its config' } },
} as never)

interface Site {
  readonly kubernetes: 'there' | 'unseen' | 'none'
  readonly bootstrapped?: boolean
  readonly fields?: readonly string[]
  readonly steps?: readonly PlannedStep[]
}

function look({ kubernetes, bootstrapped = true, fields = [], steps = [] }: Site) {
  const seen = { there: { seen: true, value: {} }, unseen: { seen: false, why: '' }, none: { seen: true } }[kubernetes]
  const observed = fake<Observed>({ machines: [runs], kubernetes: seen, secrets: { bootstrapped } } as never)
  return () => refuseOtherPodNetwork(inventory, { machines: [machine(fields)] }, observed, steps)
}

const another = ['cluster.network.cni.name']
const removes = (addon: string) => [fake<PlannedStep>({ kind: removeAddon.kind, args: { addon } })]

test('another pod network is refused, also while Kubernetes is not seen', () => {
  expect(look({ kubernetes: 'there', fields: another })).toThrow('another pod network')
  expect(look({ kubernetes: 'unseen', fields: another })).toThrow('another pod network')
})

test('a cluster that was never bootstrapped takes any', () => {
  expect(look({ kubernetes: 'unseen', bootstrapped: false, fields: another })).not.toThrow()
  expect(look({ kubernetes: 'none', fields: another })).not.toThrow()
})

test.each(['cilium', 'flannel'])('the addon %s that provides the pod network is not removed', (addon) => {
  expect(look({ kubernetes: 'there', steps: removes(addon) })).toThrow(`${addon} is the pod network`)
})

test('another addon may go', () => {
  expect(look({ kubernetes: 'there', steps: removes('loki') })).not.toThrow()
})
