import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../../../tests/support/lab.js'
import { upgradeChoicesText } from '../../report/upgrade-choices-text.js'
import { type UpgradeChoices, upgradeChoices } from './upgrade-choices.js'

const signal = new AbortController().signal
const yaml = clusterYaml({ controlPlanes: 1, workers: 1 }).replace('v1.13.9', 'v1.12.1')
let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': yaml } })
  await stage.up()
})
afterAll(() => stage.close())

async function choices(of = stage): Promise<UpgradeChoices | undefined> {
  const { world, close } = await of.connect()
  try {
    const inventory = await of.inventory()
    return await upgradeChoices({ inventory, world, env: {} }, await of.spec(world), signal)
  } finally {
    await close()
  }
}

test('every version that a cluster could go to, with what it brings along and what is known to break', async () => {
  const known = await choices()
  if (known === undefined) throw new Error('The cluster is not as its inventory has it.')
  expect(known).toMatchObject({ talos: 'v1.12.1', kubernetes: 'v1.35.4', newestKubernetes: 'v1.35' })
  expect(known.choices).toMatchObject({
    seen: true,
    value: [
      { talos: 'v1.12.11', kubernetes: 'v1.35.4', through: [], advisories: [] },
      { talos: 'v1.13.9', kubernetes: 'v1.36.3', through: [], advisories: [] },
      {
        talos: 'v1.14.1',
        kubernetes: 'v1.37.0',
        through: [
          { kind: 'talos', to: 'v1.13.9' },
          { kind: 'kubernetes', to: 'v1.36.3' },
        ],
      },
    ],
  })
  for (const width of [40, 80]) {
    const lines = upgradeChoicesText(known, width, ' --lab').split('\n')
    expect(lines.filter((line) => line.length > width)).toEqual([])
  }
  expect(upgradeChoicesText(known, 200, ' --lab')).toContain(
    'Talos v1.13.9   takes Kubernetes along to v1.36.3; to keep it, add --kubernetes v1.35.4',
  )
})

test('a Kubernetes of its own stays, and a Talos that does not take it says so', async () => {
  const pinned = clusterYaml({ controlPlanes: 1, workers: 0, extra: 'kubernetes_version: v1.31.13\n' })
  const files = { 'cluster.yaml': pinned.replace('v1.13.9', 'v1.12.1') }
  const other = await aStage({ files })
  try {
    await other.up()
    const known = await choices(other)
    expect(known?.choices).toMatchObject({
      seen: true,
      value: [
        { talos: 'v1.12.11', kubernetes: 'v1.31.13' },
        { talos: 'v1.13.9', kubernetes: 'v1.31.13' },
        { talos: 'v1.14.1', problem: 'Talos v1.14 takes Kubernetes v1.32 to v1.37, and not v1.31.' },
      ],
    })
  } finally {
    await other.close()
  }
})

test('while something is left to do, nothing is listed: it is continued', async () => {
  await stage.write('cluster.yaml', yaml.replace('v1.12.1', 'v1.12.11'))
  expect(await choices()).toBeUndefined()
  await stage.write('cluster.yaml', yaml)
})
