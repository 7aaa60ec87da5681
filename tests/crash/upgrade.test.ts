import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { killUpgrade } from '../support/killed-processes.js'
import { anInventoryFolder, aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { etcdNeverLostItsMajority } from '../support/quorum.js'
import { atMost } from '../support/sample.js'

/** Kills of each story, spread over its calls. */
const kills = atMost(6)
const speed = 1000
const secretsFile = 'secrets.lab.yaml'

interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

interface Story {
  readonly name: string
  readonly before: Versions
  readonly after: Versions
}

const stories: readonly Story[] = [
  {
    name: 'Talos that only installs',
    before: { talos: 'v1.13.8', kubernetes: 'v1.36.3' },
    after: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
  },
  {
    name: 'Talos that upgrades by itself',
    before: { talos: 'v1.12.10', kubernetes: 'v1.35.4' },
    after: { talos: 'v1.12.11', kubernetes: 'v1.35.4' },
  },
  {
    name: 'Kubernetes',
    before: { talos: 'v1.13.9', kubernetes: 'v1.35.4' },
    after: { talos: 'v1.13.9', kubernetes: 'v1.36.3' },
  },
]

let recipient = ''
beforeAll(async () => {
  recipient = await identityToRecipient(await generateX25519Identity())
})

function yaml({ talos, kubernetes }: Versions): string {
  const backup = `backup: { etcd: { recipients: [${recipient}] } }`
  const extra = `kubernetes_version: ${kubernetes}\nsecrets: plain\n${backup}\n`
  return clusterYaml({ workers: 1, extra }).replace('v1.13.9', talos)
}

/** The lab right before the upgrade, and how many calls there are to be killed at. */
interface Scene {
  readonly lab: ReturnType<Stage['lab']['save']>
  readonly files: Readonly<Record<string, string>>
  readonly calls: number
}

async function sceneOf({ before, after }: Story): Promise<Scene> {
  const stage = await aStage({ speed, files: { 'cluster.yaml': yaml(before) } })
  try {
    await stage.up()
    const lab = stage.lab.save()
    const secrets = await readFile(join(stage.folder, secretsFile), 'utf8')
    const calls = mutatingCalls(stage.lab).length
    await stage.write('cluster.yaml', yaml(after))
    await stage.up()
    const files = { 'cluster.yaml': yaml(after), [secretsFile]: secrets }
    return { lab, files, calls: mutatingCalls(stage.lab).length - calls }
  } finally {
    await stage.close()
  }
}

async function kill(nth: number, { lab, files }: Scene, { after }: Story): Promise<void> {
  const folder = await anInventoryFolder(files)
  const stage = await aStage({ speed, files, folder, resume: lab })
  try {
    stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
    await stage.up().catch(() => undefined)
    stage.lab.faults.clear()
    expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    const { observed } = await stage.plan()
    for (const { talos, node } of observed.machines) {
      expect(talos).toMatchObject({ version: after.talos })
      expect(node).toMatchObject({ kubeletVersion: after.kubernetes, ready: true, unschedulable: false })
    }
    etcdNeverLostItsMajority(stage.lab)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test.each(stories)('an upgrade is killed at its calls, and finished by the next run: $name', async (story) => {
  const scene = await sceneOf(story)
  const oneIn = Math.max(1, Math.ceil(scene.calls / kills))
  expect(await forEveryCall(scene.calls, (nth) => kill(nth, scene, story), { oneIn })).toEqual([])
})

test('a real SIGKILL in the middle of an upgrade: the next up takes the lease at once and finishes it', () =>
  killUpgrade(25))
