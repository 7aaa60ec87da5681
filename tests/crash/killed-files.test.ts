import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writerTag } from '../../src/left-behind.js'
import { parseSecretsFile } from '../../src/secrets/bundle-file.js'
import { aDesk, ended } from '../cli/ichor.js'
import { killAtChange } from '../support/kill-at-change.js'
import { clusterYaml } from '../support/lab.js'
import { atMost } from '../support/sample.js'
import { inWorkshop, succeeds, type Workshop } from '../support/workshop.js'

/** Verbs that change files and nothing else: they are killed at one change of a folder after the other. */
const kills = atMost(4)
const recipient = await identityToRecipient(await generateX25519Identity())
const extra = `secrets: plain\nbackup: { etcd: { recipients: [${recipient}], keep: { last: 1 } } }\n`
const yaml = clusterYaml({ controlPlanes: 1, workers: 0, extra })
const temporary = /\.tmp$/

let workshop: Workshop
let over: Promise<void>
let end = () => {}
beforeAll(async () => {
  await new Promise<void>((opened, failed) => {
    over = inWorkshop({ yaml }, async (given) => {
      workshop = given
      await succeeds(given.ichor('up', '--lab', '--yes'))
      const closed = new Promise<void>((close) => {
        end = close
      })
      opened()
      await closed
    })
    over.catch(failed)
  })
})
afterAll(async () => {
  end()
  await over
})

/** Until a run has fewer changes than that; `check` looks at what a killed one has left. */
async function killedAtChanges(
  folder: string,
  words: readonly string[],
  check: () => Promise<void>,
  before: () => Promise<void> = async () => {},
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  let killed = 0
  for (let nth = 1; killed < kills; nth++) {
    await before()
    const child = workshop.desk.start([...words, '--lab'])
    const isKilled = killAtChange(child, folder, nth)
    await ended(child)
    await check()
    if (!isKilled()) break
    killed++
  }
  return killed
}

interface Listed {
  readonly snapshots: readonly { readonly name: string }[]
}

async function snapshots(): Promise<string[]> {
  const { stdout } = await workshop.desk.ichor(['backup', 'list', '--lab', '--json'])
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Listed).snapshots.map(({ name }) => name)
}

/** What is listed has all of its files, of the size that its manifest says. */
async function everySnapshotIsWhole(): Promise<void> {
  const files = readdirSync(backups())
  for (const name of await snapshots()) {
    expect(files).toEqual(expect.arrayContaining([`${name}.json`, `${name}.etcd.age`]))
    const manifest = JSON.parse(readFileSync(join(backups(), `${name}.json`), 'utf8')) as object
    expect(manifest).toEqual(expect.objectContaining({ cluster: expect.anything() }))
  }
}

const backups = () => join(workshop.desk.folder, 'backups.lab')

/** What interrupted runs have left goes a day later. */
async function pruneNextDay(): Promise<void> {
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  const listed = await snapshots()
  const left = readdirSync(backups()).filter((file) => !listed.some((name) => file.startsWith(name)))
  for (const file of left) utimesSync(join(backups(), file), yesterday, yesterday)
  await succeeds(workshop.ichor('backup', 'prune', '--yes', '--lab'))
}

test('a backup, killed at its changes: no half snapshot is listed, and the next prune leaves nothing of it', async () => {
  const killed = await killedAtChanges(backups(), ['backup'], everySnapshotIsWhole)
  expect(killed).toBeGreaterThan(1)
  await succeeds(workshop.ichor('backup', '--lab'))
  await pruneNextDay()
  const [name = '', ...others] = await snapshots()
  expect(others).toEqual([])
  expect(readdirSync(backups()).filter((file) => !file.startsWith(name))).toEqual([])
})

test('a prune, killed at its changes: what is listed is whole, and the next one deletes the rest', async () => {
  const twoMore = async () => {
    for (let more = 0; more < 2; more++) await succeeds(workshop.ichor('backup', '--lab'))
  }
  const killed = await killedAtChanges(backups(), ['backup', 'prune', '--yes'], everySnapshotIsWhole, twoMore)
  expect(killed).toBeGreaterThan(0)
  await pruneNextDay()
  const [name = '', ...others] = await snapshots()
  expect(others).toEqual([])
  expect(readdirSync(backups()).filter((file) => !file.startsWith(name))).toEqual([])
})

test('secrets that are read back from a control plane, killed at the changes: the file is the older or the newer one', async () => {
  const file = 'secrets.lab.yaml'
  const read = () => readFileSync(join(workshop.desk.folder, file), 'utf8')
  const older = read()
  await succeeds(workshop.ichor('secrets', 'rotate', 'kubernetes-ca', '--lab', '--yes'))
  const putBack = async () => void workshop.desk.write(file, older)
  const isComplete = async () => void expect(() => parseSecretsFile(read(), file)).not.toThrow()
  expect(await killedAtChanges(workshop.desk.folder, ['secrets', 'recover'], isComplete, putBack)).toBeGreaterThan(0)
  await putBack()
  await succeeds(workshop.ichor('secrets', 'recover', '--lab'))
  await succeeds(workshop.ichor('plan', '--lab', '--exit-code'))
  expect(readdirSync(workshop.desk.folder).filter((name) => temporary.test(name))).toEqual([])
})

test('secrets that are imported, killed at the changes: there are none, or those of the cluster', async () => {
  const desk = aDesk()
  try {
    desk.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 0, extra: 'secrets: plain\n' }))
    await succeeds(desk.ichor(['secrets', 'init']))
    const bundle = join(desk.folder, 'bundle.yaml')
    desk.write('bundle.yaml', readFileSync(join(desk.folder, 'secrets.yaml'), 'utf8'))
    desk.write('new/cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 0, extra: 'secrets: plain\n' }))
    const words = ['secrets', 'import', bundle, '-i', 'new']
    let killed = 0
    for (let nth = 1; killed < kills; nth++) {
      const child = desk.start(words)
      const isKilled = killAtChange(child, join(desk.folder, 'new'), nth)
      await ended(child)
      if (!isKilled()) break
      killed++
    }
    expect(killed).toBeGreaterThan(0)
    await succeeds(desk.ichor(words))
    // Whatever it was killed at: one that has nothing to write any more clears up as well.
    const { pid } = spawnSync(process.execPath, ['-e', '0'])
    desk.write(`new/.ichor.lock.yaml.${writerTag().split('-')[0]}-${pid}-aaaaaaaaaaaa.tmp`, 'half')
    await succeeds(desk.ichor(words))
    const bundleOf = (path: string) => parseSecretsFile(readFileSync(path, 'utf8'), path).bundle
    expect(bundleOf(join(desk.folder, 'new/secrets.yaml'))).toEqual(bundleOf(bundle))
    expect(readdirSync(join(desk.folder, 'new')).filter((name) => temporary.test(name))).toEqual([])
  } finally {
    desk.clear()
  }
})
