import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const yaml = (talos: string, extra = '') =>
  clusterYaml({ controlPlanes: 1, workers: 1, extra }).replace('v1.13.9', talos)
const list = async () => (await program.ichor(['image', 'list', '--json'])).json()[0]?.images
const prune = async () => (await program.ichor(['image', 'prune', '--yes', '--json'])).json()[0]
/** The first and the last event of the newest journal. */
const lastRun = async () => {
  const journals = join(program.folder, '.ichor', 'journal')
  const newest = (await readdir(journals)).sort().at(-1) ?? ''
  const events = (await readFile(join(journals, newest), 'utf8')).trim().split('\n')
  return [events[0], events.at(-1)].map((line) => JSON.parse(line ?? ''))
}
const onStorage = () => whatIsThere(program.lab().lab).volumes.filter((volume) => volume.includes('talos-v'))

test('an image that machines are made from stays; after an upgrade nobody uses the old one, and prune deletes it', async () => {
  program = await aProgram({ 'cluster.yaml': yaml('v1.13.8') }, { topology: aTopology(), speed: 1000 })
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const old = { volid: expect.stringContaining('talos-v1.13.8'), host: 'pve1', kind: 'image', size: expect.any(Number) }
  expect(await list()).toEqual([{ ...old, used_by: ['dev-cp-1', 'dev-wk-1'] }])
  expect(await prune()).toEqual({
    version: 1,
    removed: [],
    kept: [{ name: old.volid, because: 'used by dev-cp-1, dev-wk-1' }],
  })

  expect(await program.ichor(['upgrade', '--talos', 'v1.13.9', '--yes'])).toMatchObject({ code: 0 })
  expect(await list()).toContainEqual({ ...old, used_by: [] })
  const shown = await program.ichor(['image', 'list'])
  expect(shown.stdout).toMatch(/^local:import\/talos-v1\.13\.8\S+ +pve1 +image .* -$/m)
  expect(await prune()).toMatchObject({ removed: [old.volid] })
  expect(await lastRun()).toMatchObject([
    { type: 'run.started', goal: 'image prune' },
    { outcome: 'done', changed: 1 },
  ])
  expect(onStorage().filter((volume) => volume.includes('v1.13.8'))).toEqual([])
  expect(await prune()).toMatchObject({ removed: [] })
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})

test('templates are listed with the machines that come from them, and prune leaves them to up', async () => {
  const files = { 'cluster.yaml': yaml('v1.13.9', 'talos: { boot: template }\n') }
  program = await aProgram(files, { topology: aTopology(), speed: 1000 })
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const template = (vmid: number, used_by: string[]) => ({
    volid: `VM ${vmid}`,
    host: 'pve1',
    kind: 'template',
    size: 0,
    used_by,
  })
  expect(await list()).toEqual(expect.arrayContaining([template(998, ['dev-cp-1']), template(999, ['dev-wk-1'])]))
  expect(await prune()).toMatchObject({
    removed: [],
    kept: expect.arrayContaining([{ name: 'VM 999', because: 'used by dev-wk-1' }]),
  })

  // Without workers nobody comes from theirs: up deletes it.
  const file = join(program.folder, 'cluster.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replace('worker_count: 1', 'worker_count: 0'))
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  expect(await list()).not.toContainEqual(expect.objectContaining({ volid: 'VM 999' }))
})
