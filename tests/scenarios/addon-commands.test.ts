import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { anInventoryFolder, aTopology, clusterYaml } from '../support/lab.js'

let folder: string
let lab: RunningLab
afterEach(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

async function ichor(...words: string[]) {
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') }
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const code = await main([...words, '-i', folder, '--lab'], commands, {
    stdout: { write },
    stderr: { write },
    stdin: process.stdin,
    env,
    cwd: folder,
    signal: AbortSignal.timeout(55_000),
    program: 'ichor',
  })
  return { code, said }
}

const yaml = (workers: number, extra = '') =>
  clusterYaml({ controlPlanes: 1, workers, extra }).replace('worker: { cpu', 'worker: { disks: [50G], cpu')

test('status and health name addons; what holds data is reported by plan, refused with --yes, and lost with --delete-data', async () => {
  const kept = 'addons:\n  cert_manager: true\n'
  const custom =
    '  custom:\n    - name: note\n      inline: "{apiVersion: v1, kind: ConfigMap, metadata: {name: note}}"\n'
  folder = await anInventoryFolder({ 'cluster.yaml': yaml(2, `${kept}${custom}`) })
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') }
  lab = await runLab({ topology: aTopology(), speed: 500 }, env)
  expect(await ichor('up', '--yes')).toMatchObject({ code: 0 })
  expect((await ichor('status')).said).toMatch(/addons\s+2\/2 healthy/)
  expect((await ichor('health', '--all')).said).toContain('ok not found: An addon is not healthy')

  await writeFile(join(folder, 'cluster.yaml'), yaml(1, kept))
  const lost =
    /everything that the addon note holds[\s\S]*disk scsi1 \(50 GiB\)|disk scsi1 \(50 GiB\)[\s\S]*everything that the addon note holds/
  expect((await ichor('plan')).said).toMatch(lost)
  expect(await ichor('up', '--yes')).toMatchObject({ code: 3, said: expect.stringMatching(lost) })
  expect(await ichor('up', '--yes', '--delete-data')).toMatchObject({ code: 0 })

  expect(await ichor('destroy', '--yes')).toMatchObject({
    code: 3,
    said: expect.stringMatching(/This would lose disk scsi1 \(50 GiB\) of dev-wk-1[\s\S]*--delete-data/),
  })
  expect(await ichor('destroy', '--yes', '--delete-data')).toMatchObject({ code: 0 })
})
