import { table } from '../../report/table.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { getLab } from './running.js'

export default defineCommand({
  args: { ...jsonArg },
  async run({ json }, context) {
    const { info, control } = await getLab(context)
    const status = await control.status()
    const { endpoint, token_id, token_secret, fingerprint, pid, socks, ssh, factory, speed, pve } = info
    if (json) {
      const told = {
        version: 1,
        endpoint,
        token_id,
        token_secret,
        fingerprint,
        pid,
        socks,
        ssh,
        factory,
        speed,
        pve,
        ...status,
      }
      context.stdout.write(`${JSON.stringify(told)}\n`)
      return 0
    }
    context.stdout.write(`lab (pid ${pid}) at ${endpoint}, Proxmox VE ${pve}, ${speed} times as fast as the wall\n`)
    context.stdout.write(
      `${status.requests} requests served${status.unknown.length > 0 ? `, ${status.unknown.length} of them unknown` : ''}\n\n`,
    )
    context.stdout.write(
      table(
        ['MACHINE', 'ADDRESS', 'LOOPBACK'],
        status.nodes.map(({ name, address, loopback }) => [name, address, loopback]),
      ),
    )
    return 0
  },
})
