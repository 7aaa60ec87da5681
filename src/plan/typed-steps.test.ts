import { expect, test } from 'vitest'
import { aDesired } from '../../tests/support/contexts.js'
import { aWorld } from '../../tests/support/worlds.js'
import * as power from '../steps/power.js'
import { createDraft, type Draft } from './draft.js'

const { startMachine } = power
const machine = 'dev-wk-1'

/** Never called: the marked lines must not compile, which `tsc` checks. */
function misspelt(draft: Draft): void {
  // @ts-expect-error: there is no such step
  draft.add(power.startMachin, { machine }, 'a test')
  // @ts-expect-error: it has no such argument
  draft.add(startMachine, { mashine: machine }, 'a test')
  // @ts-expect-error: it has no argument beside these
  draft.add(startMachine, { machine, force: true }, 'a test')
  // @ts-expect-error: a machine is named by a text
  draft.add(startMachine, { machine: 1 }, 'a test')
  // @ts-expect-error: a dependency is what `add` or `ref` gave, never a text
  draft.add(startMachine, { machine }, 'a test', ['start-machine:dev-wk-1'])
  // @ts-expect-error: a reference has the arguments of its step
  draft.ref(startMachine, { mashine: machine })
  // @ts-expect-error: as above
  draft.refIfPlanned(startMachine, { mashine: machine })
}

test('a step that is spelt right compiles, and its reference is a dependency', async () => {
  const draft = createDraft(await aDesired({ workers: 1 }), aWorld(['pve1']), 1)
  const started = draft.add(startMachine, { machine }, 'a test')
  draft.add(power.stopMachine, { machine, because: 'removal' }, 'a test', [
    started,
    draft.ref(startMachine, { machine }),
  ])
  expect(draft.steps.at(-1)?.after).toEqual([started])
  expect(misspelt).toBeTypeOf('function')
})
