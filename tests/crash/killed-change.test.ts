import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { killAtCalls, liveUndisturbed } from '../support/disturbed-runs.js'
import { killUp, killVerb, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { type Change, clusterYaml } from '../support/lab.js'
import { edited, reboot, replace, scaleTo } from '../support/verbs.js'

const recipient = await identityToRecipient(await generateX25519Identity())
// Snapshots need a recipient where the secrets are plain.
const extra = `secrets: plain\nbackup: { etcd: { recipients: [${recipient}] } }\n`
const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': clusterYaml({ extra }) } })

test.each<{ verb: string; change: Change }>([
  { verb: 'scale workers=1', change: scaleTo('workers=1') },
  { verb: 'scale workers=3', change: scaleTo('workers=3') },
  { verb: 'scale control_planes=1', change: scaleTo('control_planes=1') },
  { verb: 'replace dev-wk-1', change: replace('dev-wk-1') },
  { verb: 'replace dev-cp-2', change: replace('dev-cp-2') },
  { verb: 'more memory and up', change: edited({ path: 'sizing.worker.ram', value: '6GiB' }) },
  { verb: 'reboot dev-wk-1 dev-cp-3', change: reboot('dev-wk-1', 'dev-cp-3') },
])('$verb, killed at its calls: the next up finishes what was written down', async ({ change }) => {
  expect(await killAtCalls(change, undisturbed)).toEqual([])
})

test('a real SIGKILL in the middle of each verb: the next up finishes what was written down', async () => {
  const life = await liveAsProcess()
  const verbs = [
    ['scale', 'workers=1'],
    ['replace', 'dev-wk-1'],
    ['reboot', 'dev-wk-1'],
  ]
  for (const words of verbs) await killVerb(words, 4, life)
  await killUp(4, life, (yaml) => yaml.replace('worker: { cpu: 2, ram: 4GiB', 'worker: { cpu: 2, ram: 6GiB'))
})
