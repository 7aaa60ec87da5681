import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTopology } from '../../../tests/support/lab.js'
import { aProgram, type Program } from '../../../tests/support/program.js'

const GiB = 1024 ** 3
const storages = [
  { id: 'local', type: 'dir' as const, content: ['iso', 'backup'], shared: false, total: 200 * GiB },
  { id: 'local-lvm', type: 'lvmthin' as const, content: ['images'], shared: false, total: 500 * GiB },
]
const yaml = `cluster_name: dev
control_plane_count: 1
worker_count: 0
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
proxmox: { node: pve1, datastore: local-lvm }
secrets: plain
`
let program: Program
beforeAll(async () => {
  program = await aProgram({ 'cluster.yaml': yaml }, { topology: aTopology({ storages }), speed: 500 })
})
afterAll(() => program.close())

test('a storage that may not hold images: an administrator allows it with ichor access, and the plan is made', async () => {
  expect(await program.ichor(['plan'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('ichor access --enable-content'),
  })
  const made = await program.ichor(['access', '--enable-content', '--yes', '--json'])
  expect(made.json()).toMatchObject([{ notes: expect.arrayContaining(['storage local now allows import']) }])
  expect(await program.ichor(['plan'])).toMatchObject({ code: 0 })
})
