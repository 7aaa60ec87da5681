import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/connect.js'
import { loadInventory } from '../../src/inventory/index.js'
import { labAccess, withLabFactory } from '../../src/open-lab.js'
import { up } from '../../src/operations/goals.js'
import { reconcile } from '../../src/operations/reconcile.js'
import { loadSpec } from '../../src/operations/spec/load-spec.js'

const clusters = 20
const nodes = 10
const name = 'many'
const mebibyte = 1024 ** 2
const signal = AbortSignal.timeout(1_800_000)

/** Many clusters are created at once by one process; the lab is a process of its own, so that only ichor is measured. */
export default {
  name: 'many clusters at once',
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'ichor-bench-'))
    const env = {
      ...process.env,
      HOME: root,
      XDG_STATE_HOME: root,
      XDG_CONFIG_HOME: root,
      ICHOR_LAB_DIR: join(root, 'labs'),
    }
    const folders = Array.from({ length: clusters }, (_, index) => writeInventory(root, index + 1))
    const lab = (...words: string[]) => execFileSync(process.execPath, ['dist/bin.js', 'lab', ...words], { env })
    lab('start', '--detach', '--speed', '10', '--name', name, ...folders.flatMap((folder) => ['-i', folder]))
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 50)
    try {
      const info = JSON.parse(readFileSync(join(root, 'labs', name, 'lab.json'), 'utf8'))
      const outcomes = await Promise.all(folders.map((folder) => create(folder, info, env)))
      const of = `${clusters} clusters of ${nodes} nodes created at once by one process`
      return [
        {
          name: of,
          value: outcomes.filter((outcome) => outcome === 'done').length,
          limit: clusters,
          unit: 'clusters',
          atLeast: true,
        },
        { name: `${of}: its memory`, value: Math.round(peak / mebibyte), limit: 500, unit: 'MB' },
      ]
    } finally {
      clearInterval(watch)
      lab('stop', '--name', name)
      rmSync(root, { recursive: true, force: true })
    }
  },
}

async function create(folder: string, info: Parameters<typeof labAccess>[0], env: NodeJS.ProcessEnv) {
  const inventory = withLabFactory(await loadInventory(folder, { env: {} }), info.factory)
  const { world, close } = await connect(inventory, { env, notify: () => {}, lab: labAccess(info) })
  try {
    const spec = await loadSpec(inventory, { env: {}, world, isLab: true })
    const confirm = async () => true
    return (await reconcile({ spec, world, goal: up, run: 'run', confirm, emit: () => {}, signal })).outcome
  } finally {
    await close()
  }
}

function writeInventory(root: string, number: number): string {
  const folder = join(root, `c${number}`)
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'cluster.yaml'),
    `cluster_name: c${number}
control_plane_count: 3
worker_count: ${nodes - 3}
secrets: plain
proxmox:
  target_nodes: [${Array.from({ length: 20 }, (_, index) => `pve${index + 1}`).join(', ')}]
  datastore: local-lvm
network:
  cidr: 10.0.0.0/16
  gateway: 10.0.0.1
  control_plane_offset: ${1000 + number * 100}
  worker_offset: ${1050 + number * 100}
vm_ids:
  control_plane: ${10_000 + number * 100}-${10_049 + number * 100}
  worker: ${10_050 + number * 100}-${10_099 + number * 100}
sizing:
  control_plane: { cpu: 2, ram: 2GiB, disk: 20G }
  worker: { cpu: 2, ram: 2GiB, disk: 20G }
`,
  )
  return folder
}
