import { expect, test } from 'vitest'
import { kubeletMaySet, labelsForAdmin, nodeLabels } from './node-marks.js'
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
])('a kubelet may set $label on itself: $allowed', ({ label, allowed }) => {
  expect(kubeletMaySet(label)).toBe(allowed)
})

test('a label stands in the config or is left to the admin client, never both and never neither', () => {
  const labels = { 'node-role.kubernetes.io/worker': '', rack: '7' }
  const worker = aMachine({ role: 'worker', labels })
  expect(nodeLabels(worker)).toEqual({ rack: '7' })
  expect(labelsForAdmin(worker)).toEqual({ 'node-role.kubernetes.io/worker': '' })
  expect(labelsForAdmin(aMachine({ labels }))).toEqual({})
})

test.each([
  { role: 'worker', contract: 'v1.13', says: 'registerWithTaints:\n        - key: gpu\n' },
  { role: 'controlplane', contract: 'v1.13', says: 'nodeTaints:\n    gpu: NoSchedule\n' },
  { role: 'worker', contract: 'v1.14', says: 'taints:\n  gpu: NoSchedule\n' },
] as const)('a taint of a $role in $contract stands where it takes effect', ({ role, contract, says }) => {
  const machine = aMachine({ role, contract, taints: [{ key: 'gpu', effect: 'NoSchedule' }] })
  expect(renderConfig(machine, aBundle())).toContain(says)
})
