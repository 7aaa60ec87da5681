import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand } from './frame/define-command.js'
import status from './status.js'
import up from './up.js'

const inventory = `cluster_name: demo
control_plane_count: 3
worker_count: 2
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
`

export default defineCommand({
  description:
    'Starts a simulated datacentre in this process, writes the inventory below into a temporary folder, builds its cluster over real sockets, shows its status, and ends. Nothing is left behind.',
  args: {
    speed: {
      type: 'number',
      placeholder: 'X',
      default: 10,
      least: 0.1,
      most: 1000,
      help: 'how much faster than real time the lab runs',
    },
  },
  async run({ speed }, context) {
    const { runLab, topologyFor } = await import('../lab/index.js')
    const { loadInventory } = await import('../inventory/index.js')
    const folder = await mkdtemp(join(tmpdir(), 'ichor-demo-'))
    const inside = {
      ...context,
      cwd: folder,
      env: { ...context.env, ICHOR_LAB_DIR: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
    }
    await writeFile(join(folder, 'cluster.yaml'), inventory)
    const topology = topologyFor(await loadInventory(folder, { env: {} }))
    const lab = await runLab({ topology, speed }, inside.env)
    try {
      context.stderr.write(
        `A simulated datacentre of ${topology.hosts.length} hosts, ${speed} times as fast as the wall, and this inventory:\n\n${inventory}\n$ ichor up --lab --yes\n`,
      )
      const named = { inventory: [folder], lab: true, json: false }
      await up.run({ ...named, yes: true, forceUnlock: false, until: 'healthy' }, [], inside)
      context.stderr.write('\n$ ichor status --lab\n')
      return await status.run({ ...named, watch: false }, [], inside)
    } finally {
      await lab.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
})
