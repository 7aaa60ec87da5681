import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mark, readMark, writeMark } from '../../src/ownership/mark.js'
import { createSealer } from '../../src/ownership/seal.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage, titlesOf } from '../support/lab.js'

const names = ['dev-cp-1', 'dev-wk-1']
const secretsFile = 'secrets.lab.yaml'
let stage: Stage
beforeAll(async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' })
  stage = await aStage({ speed: 1000, topology: aTopology(), files: { 'cluster.yaml': yaml } })
  await stage.up()
})
afterAll(() => stage.close())

async function descriptionOf(name: string): Promise<string> {
  const { description = '' } = await (await byHand(stage)).options(name)
  return description
}

/** As an older release has written them: without the time at which their VMs were made. */
async function forgetBirths(change: (description: string) => string = (text) => text): Promise<void> {
  const hand = await byHand(stage)
  const bundle = (await hand.world.secrets.find())?.bundle
  if (bundle === undefined) throw new Error('there are secrets')
  for (const name of names) {
    const description = await descriptionOf(name)
    const mark = withoutBirth(readMark(description)?.mark)
    await hand.set(name, { description: change(writeMark(description, mark, createSealer(bundle.cluster))) })
  }
}

function withoutBirth(mark: Mark | undefined): Mark {
  if (mark === undefined) throw new Error('there is a mark')
  const { more: _born, ...others } = mark
  return others
}

const sealed = names.map((name) => `seal the mark of ${name}`)

async function areWhole(): Promise<void> {
  for (const name of names) {
    const written = readMark(await descriptionOf(name))
    expect(written).toMatchObject({ seal: expect.stringMatching(/^v1:/), mark: { more: { born: expect.any(String) } } })
  }
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
}

test('marks that do not say when their VMs were made get it while their nodes answer', async () => {
  await forgetBirths()
  expect(titlesOf((await stage.plan()).plan)).toEqual(sealed)
  expect(await stage.up()).toMatchObject({ outcome: 'done', changed: 2 })
  await areWhole()
})

test('marks from before there were seals are sealed once; from then on one without a seal is broken', async () => {
  const file = join(stage.folder, secretsFile)
  const withoutSeal = (text: string) => text.replace(/\nseal: .*/, '')
  await forgetBirths(withoutSeal)
  await expect(stage.up()).rejects.toThrow('its mark has no seal')
  await stage.write(secretsFile, (await readFile(file, 'utf8')).replace('sealed: true', 'sealed: false'))
  expect(titlesOf((await stage.plan()).plan)).toEqual([...sealed, 'note in the secrets that every mark is sealed'])
  expect(await stage.up()).toMatchObject({ outcome: 'done', changed: 3 })
  await areWhole()
  expect(await readFile(file, 'utf8')).toContain('sealed: true')
})

test('a node that says that it is another machine gets no seal', async () => {
  const hand = await byHand(stage)
  await forgetBirths()
  const other = { systemUuid: async () => '00000000-0000-4000-8000-000000000000' }
  const lying: Parameters<Stage['up']>[0] = {
    through: (world) => ({
      ...world,
      talos: {
        ...world.talos,
        node: (target) => {
          const node = world.talos.node(target)
          return { ...node, resources: { ...node.resources, ...other } }
        },
      },
    }),
  }
  await expect(stage.up(lying)).rejects.toThrow('but the node there is another one')
  expect(readMark((await hand.options('dev-wk-1')).description)?.mark.more?.born).toBeUndefined()
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  await areWhole()
})
