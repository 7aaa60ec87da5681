import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FileError, UsageError } from '../../errors.js'
import type { LabInfo, SavedLab } from '../../lab/index.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { inventoryArg, jsonArg } from '../shared-args.js'
import { programFile } from '../use-lab.js'

export default defineCommand({
  description:
    'A cluster of simulated Proxmox hosts over TLS on loopback, with an Image Factory and Talos machines that boot what their VMs hold. With -i, a datacentre that fits that inventory.',
  examples: [
    'ichor lab start --detach',
    'ichor lab start -i inventory/dev --speed 60 --detach',
    'ichor lab start --hosts 3 --pve 8',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    hosts: { type: 'number', placeholder: 'N', help: 'how many hosts, where the inventory does not say' },
    speed: { type: 'number', placeholder: 'X', default: 1, help: 'how much faster than the wall its time runs' },
    seed: { type: 'number', placeholder: 'N', default: 1, help: 'the same seed, the same run' },
    port: { type: 'number', placeholder: 'P', default: 8006, help: 'port of the Proxmox API on each host' },
    pve: { type: 'choice', choices: ['8', '9'], default: '9', help: 'version of Proxmox VE' },
    load: { type: 'text', placeholder: 'FILE', help: 'go on from what ichor lab save wrote' },
    detach: { type: 'flag', help: 'leave it running in the background' },
  },
  async run(args, context) {
    const lab = await import('../../lab/index.js')
    if ((await lab.findLab(context.env)) !== undefined) {
      throw new UsageError('A lab is running already.', {
        where: lab.labFile(context.env),
        fix: 'ichor lab status shows it, ichor lab stop ends it.',
      })
    }
    if (args.detach) {
      const words = process.argv.slice(2).filter((word) => word !== '--detach')
      show(await lab.startDetachedLab([programFile(), ...words], context.env), args.json, context)
      return 0
    }
    const running = await lab.runLab(
      {
        topology: await topology(args.inventory, args.hosts, context),
        speed: args.speed,
        seed: args.seed,
        port: args.port,
        pve: args.pve === '8' ? 8 : 9,
        ...(args.load === undefined ? {} : { resume: await readSaved(resolve(context.cwd, args.load)) }),
      },
      context.env,
    )
    show(running.info, args.json, context)
    await Promise.race([
      running.stopOrdered,
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

async function readSaved(file: string): Promise<SavedLab> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SavedLab
  } catch (cause) {
    throw new FileError('The saved lab cannot be read.', {
      where: file,
      fix: 'Give a file that ichor lab save wrote.',
      cause,
    })
  }
}

function show(info: LabInfo, json: boolean, { stdout }: Context): void {
  if (json) return void stdout.write(`${JSON.stringify({ version: 1, ...info })}\n`)
  stdout.write(
    [
      `endpoint     ${info.endpoint}`,
      `token        ${info.token_id}=${info.token_secret}`,
      `fingerprint  ${info.fingerprint}`,
      `socks        ${info.socks.host}:${info.socks.port}`,
      `ssh          ${info.ssh.user}@${info.ssh.host}:${info.ssh.port}`,
      `factory      ${info.factory}`,
      `pid          ${info.pid}`,
      '',
    ].join('\n'),
  )
}
