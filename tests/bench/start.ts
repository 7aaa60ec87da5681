import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const runs = 25
const bin = resolve('dist/bin.js')

/** Side by side with the start of Node, so that a busy machine slows both. */
export default {
  name: 'start',
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'ichor-bench-start-'))
    try {
      const few = aCluster(join(root, 'few'), 3)
      const many = aCluster(join(root, 'many'), 100)
      const times = sideBySide({
        node: () => ({ words: ['-e', '0'] }),
        help: () => ({ words: [bin, '--help'] }),
        first: (run) => render(few, `first-${run}`),
        again: () => render(few, 'again'),
        hundred: (run) => render(many, `first-${run}`),
      })
      const beyond = (ms: number) => Math.round(ms - 2 * times.node)
      const unit = 'ms beyond 2 times node -e 0'
      return [
        {
          name: 'ichor --help, in times of node -e 0',
          value: Number((times.help / times.node).toFixed(2)),
          limit: 3,
          unit: 'times',
        },
        { name: 'ichor render of 3 nodes', value: beyond(times.first), limit: 150, unit },
        { name: 'the same into the same folder again', value: beyond(times.again), limit: 150, unit },
        { name: 'ichor render of 100 nodes', value: Math.round(times.hundred), limit: 635, unit: 'ms' },
      ]
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

interface Cluster {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** An inventory and its secrets, sealed as they are unless the user wants otherwise. */
function aCluster(folder: string, nodes: number): Cluster {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') }
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
control_plane_count: 3
worker_count: ${nodes - 3}
network: { cidr: 10.0.8.0/22, gateway: 10.0.8.1 }
proxmox: { target_nodes: [pve1, pve2, pve3], datastore: local-lvm }
`,
  )
  timeOf({ words: [bin, 'secrets', 'init'], at: { folder, env } })
  return { folder, env }
}

/** A program to start, and where. */
interface Start {
  readonly words: readonly string[]
  readonly at?: Cluster
}

function render(at: Cluster, out: string): Start {
  return { words: [bin, 'render', '--out', out], at }
}

/** The median of each in milliseconds. They take turns: whatever slows one, slows the others. */
function sideBySide<Name extends string>(starts: Record<Name, (run: number) => Start>): Record<Name, number> {
  const names = Object.keys(starts) as Name[]
  const rounds = Array.from({ length: runs }, (_, run) => names.map((name) => timeOf(starts[name](run))))
  const medians = names.map((name, index) => [name, median(rounds.map((times) => times[index] ?? 0))])
  return Object.fromEntries(medians) as Record<Name, number>
}

function timeOf({ words, at }: Start): number {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore', cwd: at?.folder, env: at?.env })
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`)
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
