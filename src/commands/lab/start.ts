import { resolve } from 'node:path'
import { UsageError } from '../../errors.js'
import type { LabInfo } from '../../lab/index.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { inventoryArg, jsonArg } from '../shared-args.js'
import { programWords } from '../use-lab.js'
import { howToReach } from './how-to-reach.js'
import { inLab, nameArg } from './named.js'
import { readSavedLab } from './saved-lab.js'

export default defineCommand({
  description:
    'Starts simulated Proxmox hosts with TLS on loopback, an Image Factory, and Talos machines that boot from their VMs. With -i, the lab has the hosts, storages and networks of that inventory.',
  examples: [
    'ichor lab start --detach',
    'ichor lab start -i inventory/dev --speed 60 --detach',
    'ichor lab start --hosts 3 --pve 8',
    'ichor lab start --name other --detach',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...nameArg,
    hosts: {
      type: 'number',
      placeholder: 'N',
      integer: true,
      min: 1,
      max: 250,
      help: 'number of hosts, unless the inventory specifies them',
    },
    speed: {
      type: 'number',
      placeholder: 'X',
      min: 0.1,
      help: 'speed relative to real time; 1 by default',
    },
    seed: { type: 'number', placeholder: 'N', integer: true, help: 'seed for repeatable runs; 1 by default' },
    port: {
      type: 'number',
      placeholder: 'P',
      integer: true,
      min: 1,
      max: 65535,
      default: 8006,
      help: 'port of the Proxmox API on each host',
    },
    pve: { type: 'choice', choices: ['8', '9'], help: 'version of Proxmox VE; 9 by default' },
    load: { type: 'text', placeholder: 'FILE', help: 'continue from a file written by ichor lab save' },
    'unknown-charts': {
      type: 'flag',
      help: 'render charts that the lab does not know with the helm on the PATH; their objects become Ready after a while',
    },
    detach: { type: 'flag', help: 'run in the background' },
  },
  async run(args, outer) {
    const context = inLab(outer, args.name)
    const lab = await import('../../lab/index.js')
    if ((await lab.findLab(context.env)) !== undefined) {
      throw new UsageError(`A lab named ${lab.labName(context.env)} is running already.`, {
        where: lab.labFile(context.env),
        fix: 'ichor lab status shows it, ichor lab stop stops it; --name starts another one.',
      })
    }
    if (args.detach) {
      const words = process.argv.slice(2).filter((word) => word !== '--detach')
      show(await lab.startDetachedLab([...programWords(), ...words], context.env), args.json, context)
      return 0
    }
    const running = await lab.runLab(
      {
        topology: await topology(args.inventory, args.hosts, context),
        port: args.port,
        unknownCharts: args['unknown-charts'],
        ...(args.speed === undefined ? {} : { speed: args.speed }),
        ...(args.seed === undefined ? {} : { seed: args.seed }),
        ...(args.pve === undefined ? {} : { pve: args.pve === '8' ? 8 : 9 }),
        ...(args.load === undefined ? {} : { resume: await readSavedLab(resolve(context.cwd, args.load)) }),
      },
      context.env,
    )
    show(running.info, args.json, context)
    await Promise.race([
      running.stopRequested,
      new Promise<void>((end) => context.signal.addEventListener('abort', () => end(), { once: true })),
    ])
    await running.close()
    return 0
  },
})

async function topology(named: readonly string[], hosts: number | undefined, context: Context) {
  const lab = await import('../../lab/index.js')
  const [first] = named.length === 0 ? [] : await loadNamed(named, context)
  if (first === undefined) return lab.plainTopology(hosts ?? 3)
  return lab.topologyFor(first, hosts === undefined ? {} : { hosts })
}

function show(info: LabInfo, json: boolean, { stdout }: Context): void {
  stdout.write(json ? `${JSON.stringify({ version: 1, ...info })}\n` : howToReach(info))
}
