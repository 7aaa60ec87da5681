import type { LabInfo, LabStatus } from '../../lab/index.js'
import { table } from '../../report/table.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { howToReach } from './how-to-reach.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

export default defineCommand({
  args: { ...jsonArg, ...nameArg },
  async run({ json, name }, context) {
    const { info, control } = await getLab(context, name)
    const status = await control.status()
    if (json) {
      // Keys and socket are internal.
      const { ca, control: _socket, ...shown } = info
      context.stdout.write(`${JSON.stringify({ version: 1, ...shown, ...status })}\n`)
      return 0
    }
    context.stdout.write(textOf(info, status))
    return 0
  },
})

function textOf(info: LabInfo, { requests, unknown, hosts, nodes }: LabStatus): string {
  return [
    `Proxmox VE ${info.pve}, ${info.speed} times real time, ${requests} requests served${unknown.length > 0 ? `, ${unknown.length} of them unknown` : ''}`,
    howToReach(info),
    table(['HOST', 'ENDPOINT'], Object.entries(hosts)),
    nodes.length === 0
      ? 'No machine has power.\n'
      : table(
          ['MACHINE', 'ADDRESS', 'LOOPBACK'],
          nodes.map(({ name, address, loopback }) => [name, address, loopback]),
        ),
  ].join('\n')
}
