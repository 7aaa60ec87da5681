import { table } from '../../report/table.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'

export default defineCommand({
  description: 'Lists the running labs of this user. Use one with --lab=NAME or ICHOR_LAB=NAME.',
  args: { ...jsonArg },
  async run({ json }, { env, stdout }) {
    const { listLabs } = await import('../../lab/index.js')
    const labs = await listLabs(env)
    if (json) {
      const shown = labs.map(({ name, info: { endpoint, speed, pve, pid } }) => ({ name, endpoint, speed, pve, pid }))
      stdout.write(`${JSON.stringify({ version: 1, labs: shown })}\n`)
      return 0
    }
    const rows = labs.map(({ name, info }) => [
      name,
      info.endpoint,
      String(info.pve),
      `${info.speed}x`,
      String(info.pid),
    ])
    stdout.write(rows.length === 0 ? 'No lab is running.\n' : table(['NAME', 'ENDPOINT', 'PVE', 'SPEED', 'PID'], rows))
    return 0
  },
})
