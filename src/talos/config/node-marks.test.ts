import { expect, test } from 'vitest'
import { nodeLabels } from './node-marks.js'
import { renderConfig } from './render.js'
import { aBundle, aMachine } from './testdata/a-machine.js'

test.each([
  { label: 'rack', allowed: true },
  { label: 'example.com/rack', allowed: true },
  { label: 'topology.kubernetes.io/zone', allowed: true },
  { label: 'node.kubernetes.io/instance-type', allowed: true },
  { label: 'custom.node.kubernetes.io/x', allowed: true },
  { label: 'node-role.kubernetes.io/worker', allowed: false },
  { label: 'node-restriction.kubernetes.io/x', allowed: false },
  { label: 'x.k8s.io/y', allowed: false },
  { label: 'notkubernetes.io/y', allowed: true },
])('a worker with the label $label has it in its config: $allowed', ({ label, allowed }) => {
  const labels = { [label]: 'x' }
  expect(nodeLabels(aMachine({ role: 'worker', labels }))).toEqual(allowed ? labels : {})
  expect(nodeLabels(aMachine({ labels }))).toMatchObject(labels)
})

test.each([
  { role: 'worker', contract: 'v1.13', message: 'registerWithTaints:\n        - key: gpu\n' },
  { role: 'controlplane', contract: 'v1.13', message: 'nodeTaints:\n    gpu: NoSchedule\n' },
  { role: 'worker', contract: 'v1.14', message: 'taints:\n  gpu: NoSchedule\n' },
] as const)('a taint of a $role in $contract stands where it takes effect', ({ role, contract, message }) => {
  const machine = aMachine({ role, contract, taints: [{ key: 'gpu', effect: 'NoSchedule' }] })
  expect(renderConfig(machine, aBundle())).toContain(message)
})
