import { defineCommand } from '../frame/define-command.js'
import { getLab } from './running.js'

export default defineCommand({
  args: {},
  async run(_args, context) {
    const { info, control } = await getLab(context)
    await control.stop()
    context.stdout.write(`The lab (pid ${info.pid}) stops.\n`)
    return 0
  },
})
