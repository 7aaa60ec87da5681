import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInventory } from '../../../src/inventory/index.js'

/** How long it takes to load and validate an inventory of that many nodes, by name as in a nodes.yaml. */
export async function validationMs(count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-bench-'))
  try {
    await writeFile(join(folder, 'cluster.yaml'), cluster)
    await writeFile(join(folder, 'nodes.yaml'), nodes(count))
    const start = performance.now()
    const { machines } = await loadInventory(folder, { env: {} })
    const took = performance.now() - start
    if (machines.length !== count) throw new Error(`${machines.length} machines instead of ${count}`)
    return took
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const cluster = `cluster_name: big
network:
  cidr: 10.0.0.0/16
  gateway: 10.0.0.1
  vip: 10.0.0.2
  pod_cidr: 10.128.0.0/9
vm_ids:
  worker: 100000-199999
`

function nodes(count: number): string {
  const node = (name: string, index: number) =>
    `  - name: ${name}\n    ip: 10.0.${(index >> 8) + 1}.${index & 255}\n    cpu: 4\n    ram: 8192\n    disk: 40G\n`
  const names = Array.from({ length: count }, (_, index) => index)
  const part = (from: number, to: number, prefix: string) =>
    names
      .slice(from, to)
      .map((index) => node(`${prefix}-${index}`, index))
      .join('')
  return `controlplane:\n${part(0, 3, 'cp')}workers:\n${part(3, count, 'wk')}`
}
