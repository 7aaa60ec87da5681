import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import { cordoned } from '../node/kubernetes-node.js'

const hosts = ['pve1', 'pve2', 'pve3']
const specOf = async (ram: string) =>
  specFor(
    await anInventory({
      controlPlanes: 1,
      workers: 2,
      hosts,
      with: {
        sizing: { worker: { cpu: 2, ram, disk: '20G' } },
        roll: {
          before: [{ command: ['silence'] }],
          after: [{ command: ['listen'] }],
          check: { url: 'https://10.0.0.1/' },
          checks: [{ command: ['true'] }],
        },
      },
    }),
  )
const spec = await specOf('4GiB')
const empty = aWorld(hosts)
const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)

test('the commands of the user run around each machine, and all checks pass before the next', async () => {
  const { steps } = planOf(await specOf('5GiB'), made)
  const of = (machine: string) => steps.filter((step) => step.machine === machine)
  expect(of('dev-wk-1').map(({ title }) => title.replace(/ so that .*/, ''))).toEqual([
    'set memory of the VM of dev-wk-1',
    'run roll.before for dev-wk-1: silence',
    'drain dev-wk-1',
    'restart dev-wk-1',
    'wait for dev-wk-1 to be back',
    'run roll.after for dev-wk-1: listen',
    'let dev-wk-1 take work again',
    'run roll.checks after dev-wk-1: https://10.0.0.1/; true',
  ])
  const kinds = of('dev-wk-1').filter(({ turn }) => turn?.chain === 'dev-wk-1')
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['run-hook', 'check-roll']))
})

test('a run that was killed before roll.after is finished by the next one', () => {
  const left = {
    ...made,
    machines: made.machines.map((seen) =>
      seen.name === 'dev-wk-1' && seen.node !== undefined ? { ...seen, node: cordoned(seen.node) } : seen,
    ),
  }
  const { steps } = planOf(spec, left)
  expect(steps.filter(({ machine }) => machine === 'dev-wk-1').map(({ kind }) => kind)).toEqual([
    'run-hook',
    'uncordon-node',
  ])
})

test('nothing is run around a machine that is only made', () => {
  expect(planOf(spec, empty).steps.some(({ kind }) => kind === 'run-hook')).toBe(false)
})
