import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { labName, labOption } from '../lab/lab-name.js'
import { makeFolder } from '../make-folder.js'
import { durationText } from '../report/duration.js'
import { textStyle } from '../report/text-style.js'
import { makeTemporaryFolder } from '../temporary-folder.js'
import { type Row, rowsText } from './command-rows.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import status from './status.js'
import up from './up.js'
import { schemaComment, writeSchema } from './write-schema.js'

const inventory = `cluster_name: demo
control_plane_count: 3
worker_count: 2
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
addons:
  metrics_server: true
`

const keptFolder = 'ichor-demo'

export default defineCommand({
  description:
    'Starts a simulated Proxmox in this process, builds a cluster on it over real sockets, runs `up` again, shows its status, and exits without leaving anything behind. --keep leaves the lab running, with the inventory in ./ichor-demo.',
  examples: ['ichor demo', 'ichor demo --keep'],
  args: {
    speed: {
      type: 'number',
      placeholder: 'X',
      default: 10,
      min: 0.1,
      max: 1000,
      help: 'how much faster than real time the lab runs',
    },
    keep: { type: 'flag', help: 'leave the lab running' },
  },
  async run({ speed, keep }, context) {
    return keep ? keepDemo(context) : runDemo(speed, context)
  },
})

/** In this process: lab and folder are removed when it ends. */
async function runDemo(speed: number, context: Context): Promise<number> {
  const { runLab, topologyFor } = await import('../lab/index.js')
  const { loadInventory } = await import('../inventory/index.js')
  const { generateX25519Identity } = await import('age-encryption')
  const folder = await makeTemporaryFolder('demo')
  const env = {
    ...context.env,
    ICHOR_LAB_DIR: folder.path,
    XDG_CONFIG_HOME: folder.path,
    XDG_STATE_HOME: folder.path,
    // Deleted with the demo: no file to keep.
    SOPS_AGE_KEY: await generateX25519Identity(),
  }
  try {
    await writeFile(join(folder.path, 'cluster.yaml'), inventory)
    const topology = topologyFor(await loadInventory(folder.path, { env: {} }))
    const lab = await runLab({ topology, speed }, env)
    try {
      const pace = speed === 1 ? 'in real time' : `running ${speed}x faster than real time`
      context.stderr.write(`A simulated ${topology.hosts.length}-host Proxmox, ${pace}.\n\n`)
      const code = await show(folder.path, { ...context, cwd: folder.path, env })
      context.stdout.write(`\nNow yours:\n${rowsText(nextSteps, context)}`)
      return code
    } finally {
      await lab.close()
    }
  } finally {
    await folder.remove()
  }
}

const nextSteps: readonly Row[] = [
  ['ichor demo --keep', 'keep this one running, with kubectl and ichor ui'],
  ['ichor init --template', 'write a commented cluster.yaml here'],
  ['ichor init', 'look at your own Proxmox and write one for it'],
]

/** With a separate lab, which keeps running. */
async function keepDemo(context: Context): Promise<number> {
  const folder = join(context.cwd, keptFolder)
  await makeFolder(folder)
  await writeDurably(join(folder, 'cluster.yaml'), `${schemaComment}${inventory}`, { mode: 0o644 })
  await writeSchema(folder)
  const code = await show(folder, context)
  const flag = labOption(context.env)
  const rows: readonly Row[] = [
    [`ichor status ${flag} -i ${keptFolder}`, 'look'],
    [`ichor ui ${flag} -i ${keptFolder}`, 'look in the browser'],
    [`KUBECONFIG=${keptFolder}/kubeconfig.lab kubectl get nodes`, 'with your own kubectl'],
    [`ichor plan ${flag} -i ${keptFolder}`, `after a change in ${keptFolder}/cluster.yaml`],
    [flag === '--lab' ? 'ichor lab stop' : `ichor lab stop --name ${labName(context.env)}`, 'when you are done'],
  ]
  context.stdout.write(`\nThe lab is still running. Try:\n${rowsText(rows, context)}`)
  return code
}

/** Builds the cluster, runs `up` again, and shows the status. */
async function show(folder: string, context: Context): Promise<number> {
  const style = textStyle(context.stdout, context.env)
  const line = (label: string, text: string) =>
    context.stdout.write(`${style.green(style.signs.ok)} ${label.padEnd(7)} ${text}\n`)
  const named = { inventory: [folder], lab: true, json: false }
  const quiet = { ...named, yes: true, forceUnlock: false, until: 'healthy', target: [] }
  const silent = { write: () => true }
  const startedAt = Date.now()
  await up.run(quiet, [], { ...context, stdout: silent })
  line('built', `3 control planes + 2 workers in ${durationText(Date.now() - startedAt)}`)
  let output = ''
  const listen = {
    write: (text: string) => {
      output += text
      return true
    },
  }
  await up.run(quiet, [], { ...context, stdout: listen, stderr: silent })
  line('again', /nothing to do/.test(output) ? 'nothing to do' : output.trim())
  context.stdout.write('\n')
  return (await status.run({ ...named, watch: false }, [], context)) ?? 0
}
