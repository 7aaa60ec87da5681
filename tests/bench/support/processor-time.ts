import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadInventory } from '../../../src/inventory/index.js'
import { runLab } from '../../../src/lab/index.js'
import { initSecrets } from '../../../src/secrets/verbs.js'
import { secretsStore } from '../../../src/secrets-store.js'
import { timedProcess } from '../../side-by-side/timed-process.js'
import { aTopology } from '../../support/lab.js'

/** CPU milliseconds of `up` in a process of its own, on three hosts; its secrets, whose keys take now long and now short, are there. */
export async function processorTimeOfUp(inventory: string, speed: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'ichor-bench-up-'))
  const folder = join(root, 'inventory')
  mkdirSync(folder)
  writeFileSync(join(folder, 'cluster.yaml'), inventory)
  const env = { PATH: process.env.PATH, HOME: root, ICHOR_LAB_DIR: join(root, '.lab') }
  const running = await runLab({ topology: aTopology({ hosts: 3 }), speed }, env)
  try {
    const store = secretsStore(await loadInventory(folder, { env: {} }), { env, notify: () => {}, isLab: true })
    await initSecrets(store, 'v1.13')
    const words = [process.execPath, resolve('dist/bin.js'), 'up', '--yes', '--lab', '-i', folder]
    return Math.round((await timedProcess(words, root, env)).cpuSeconds * 1000)
  } finally {
    await running.close()
    rmSync(root, { recursive: true, force: true })
  }
}
