import { expect, test } from 'vitest'
import { rollStatus } from './roll.js'
import type { MachineStatus } from './status.js'

function machine(
  name: string,
  talos_version: string | null,
  kubernetes_version: string | null = 'v1.36.3',
): MachineStatus {
  const nowhere = { host: null, vmid: null, mac: '', uuid: '', address: null }
  return {
    name,
    role: 'worker',
    ...nowhere,
    ready: true,
    state: 'ready',
    problems: [],
    talos_version,
    kubernetes_version,
  }
}

const wanted = { talos_version: 'v1.13.9', kubernetes_version: 'v1.36.3' }

test('a roll lists upgraded and remaining machines, and why it stopped', () => {
  const machines = [machine('a', 'v1.13.9'), machine('b', 'v1.12.11'), machine('c', 'v1.13.8'), machine('d', null)]
  expect(rollStatus(machines, wanted, 'b came back with Talos v1.12.11')).toEqual({
    kind: 'talos',
    from: 'v1.12.11',
    to: 'v1.13.9',
    done: ['a'],
    left: ['b', 'c'],
    stopped: 'b came back with Talos v1.12.11',
  })
})

test('Kubernetes follows Talos; where everything is there, there is no roll', () => {
  const machines = [machine('a', 'v1.13.9', 'v1.35.4'), machine('b', 'v1.13.9')]
  expect(rollStatus(machines, wanted, undefined)).toMatchObject({ kind: 'kubernetes', done: ['b'], stopped: null })
  expect(rollStatus([machine('a', 'v1.13.9')], wanted, 'old news')).toBeNull()
})
