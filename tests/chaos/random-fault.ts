import type { FaultRule } from '../../src/simulator/index.js'
import type { Dice } from './dice.js'

const gatewayErrors = [500, 502, 503, 595, 596]

/** What goes wrong on the way to the datacenter. */
export function randomFault(dice: Dice): FaultRule {
  const times = dice.between(1, 4)
  const seldom = { chance: dice.pick([0.02, 0.1, 0.3]), times }
  const deletion: FaultRule['match'] = { surface: 'proxmox', method: 'DELETE', path: '/qemu/' }
  const start: FaultRule['match'] = { surface: 'proxmox', method: 'POST' }
  // Few workers delete a VM, so one of them is always hit.
  const worker = times > 2 ? { match: deletion } : { match: start, ...seldom }
  const nth = { match: { nthMutating: dice.between(1, 60) } }
  return dice.weighted<() => FaultRule>([
    [4, () => ({ ...nth, action: { kind: 'drop-answer' } })],
    [2, () => ({ match: {}, action: { kind: 'drop-answer' }, ...seldom })],
    [2, () => ({ match: {}, action: { kind: 'refuse' }, ...seldom })],
    [3, () => ({ match: { surface: 'proxmox' }, action: proxmoxStatus(dice), ...seldom })],
    [1, () => ({ match: { surface: 'proxmox', method: 'GET' }, action: proxmoxStatus(dice), ...seldom })],
    [
      2,
      () => ({
        match: { surface: 'talos' },
        action: { kind: 'status', status: dice.pick([4, 14, 13]), message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [
      2,
      () => ({
        match: { surface: 'kubernetes' },
        action: { kind: 'status', status: dice.pick([429, 500, 503, 504]), message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [
      1,
      () => ({
        match: { surface: 'factory' },
        action: { kind: 'status', status: dice.pick([429, 500, 503]), message: 'the lab says no' },
        times,
      }),
    ],
    [1, () => ({ match: { surface: 'factory' }, action: { kind: 'cut-stream' }, times: 1 })],
    [
      3,
      () => ({
        action: { kind: dice.pick(['kill-task', 'kill-task'] as const) },
        ...worker,
      }),
    ],
    [
      2,
      () => ({
        action: { kind: 'fail-task', message: 'the lab says no' },
        ...worker,
      }),
    ],
    [
      2,
      () => ({
        match: deletion,
        action: dice.pick<FaultRule['action']>([
          { kind: 'kill-task' },
          { kind: 'fail-task', message: 'the lab says no' },
          { kind: 'drop-answer' },
        ]),
        times: 1,
      }),
    ],
    [
      2,
      () => ({
        match: { surface: 'proxmox', path: '/config$' },
        action: { kind: 'fail-config', message: 'the lab says no' },
        ...seldom,
      }),
    ],
    [1, () => ({ match: {}, action: { kind: 'delay', modelMs: dice.pick([1000, 20_000, 90_000]) }, ...seldom })],
    [1, () => ({ match: {}, action: { kind: 'cut-stream' }, ...seldom })],
  ])()
}

function proxmoxStatus(dice: Dice): FaultRule['action'] {
  return {
    kind: 'status',
    status: dice.pick([...gatewayErrors, ...gatewayErrors, 401, 403]),
    message: 'the lab says no',
  }
}
