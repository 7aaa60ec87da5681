import { expect, test } from 'vitest'
import { countCalls, disturbVerb, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'
import { killVerb, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import type { Change } from '../support/lab.js'
import { edited, reboot, replace, scaleTo } from '../support/verbs.js'

const undisturbed = await liveUndisturbed()
/** Every third call; `ICHOR_CRASH_ALL=1` takes every one. */
const oneIn = process.env.ICHOR_CRASH_ALL === undefined ? 3 : 1

test.each<{ verb: string; change: Change }>([
  { verb: 'scale workers=1', change: scaleTo('workers=1') },
  { verb: 'scale workers=3', change: scaleTo('workers=3') },
  { verb: 'replace dev-wk-1', change: replace('dev-wk-1') },
  { verb: 'replace dev-cp-2', change: replace('dev-cp-2') },
  { verb: 'more memory and up', change: edited({ path: 'sizing.worker.ram', value: '6GiB' }) },
  { verb: 'reboot dev-wk-1 dev-cp-3', change: reboot('dev-wk-1', 'dev-cp-3') },
])('$verb, killed at its calls: the next up finishes what was written down', async ({ change }) => {
  const calls = await countCalls(change, undisturbed)
  expect(calls).toBeGreaterThanOrEqual(5)
  const kill = (nth: number) => disturbVerb(nth, 'kill-caller', change, undisturbed)
  // One lab at a time: they come from one save, and so want the same port for the factory.
  const failures = await forEveryCall(calls, kill, { oneIn, sideBySide: 1 })
  expect(failures).toEqual([])
})

test('a real SIGKILL in the middle of each verb: the next up finishes what was written down', async () => {
  const life = await liveAsProcess()
  const verbs = [
    ['scale', 'workers=1'],
    ['replace', 'dev-wk-1'],
    ['reboot', 'dev-wk-1'],
  ]
  for (const words of verbs) await killVerb(words, 4, life)
})
