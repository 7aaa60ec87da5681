import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChartRepository, indexOf, startChartRepository } from '../support/chart-repository.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { aProgram, type Program } from '../support/program.js'

let charts: ChartRepository
let program: Program

beforeAll(async () => {
  charts = await startChartRepository({
    '/index.yaml': indexOf({ hello: '1.2.3' }),
    '/hello-1.2.3.tgz': 'the bytes of a chart',
  })
  const addon = `addons:\n  custom:\n    - name: hello\n      namespace: hello\n      chart: { name: hello, version: 1.2.3, repository: "${charts.url}" }\n`
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra: `secrets: plain\n${addon}` }) }
  program = await aProgram(files, { speed: 2000, topology: aTopology({ hosts: 1 }) })
})
afterAll(async () => {
  await program.close()
  await charts.close()
})

const lockFile = () => readFile(join(program.folder, 'ichor.lab.lock.yaml'), 'utf8')

test('what was locked is built, and a chart or an image whose bytes changed is refused before anything happens', async () => {
  expect(await program.ichor(['lock'])).toMatchObject({ code: 0 })
  const locked = await lockFile()
  expect(locked).toMatch(/images:\n {2}[0-9a-f]{64}\/v[\d.]+\/nocloud-amd64\.qcow2: sha256:[0-9a-f]{64}/)
  expect(locked).toContain(`${charts.url}/hello:1.2.3: sha256:`)
  expect(await program.ichor(['lock', '--check'])).toMatchObject({ code: 0, stdout: 'The lock file is right.\n' })

  charts.files.set('/hello-1.2.3.tgz', 'other bytes under the same version')
  const check = await program.ichor(['lock', '--check', '--json'])
  expect([check.code, check.json()]).toMatchObject([4, [{ differences: [{ kind: 'charts', difference: 'changed' }] }]])
  const shown = await program.ichor(['plan', '--json'])
  expect(shown.json()).toMatchObject([
    { notes: [expect.stringMatching(/hello:1\.2\.3 does not match the lock file\. Applying this plan is refused/)] },
  ])
  const refused = await program.ichor(['up', '--yes'])
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('does not match the lock file')])
  expect(whatIsThere(program.lab().lab).vms).toEqual([])

  charts.files.set('/hello-1.2.3.tgz', 'the bytes of a chart')
  const path = join(program.folder, 'ichor.lab.lock.yaml')
  await writeFile(path, locked.replace(/qcow2: sha256:[0-9a-f]{8}/, 'qcow2: sha256:00000000'))
  const other = await program.ichor(['up', '--yes', '--until', 'vms'])
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('checksum')])
  await writeFile(path, locked)
  expect(await program.ichor(['up', '--yes', '--until', 'vms'])).toMatchObject({ code: 0 })
})
