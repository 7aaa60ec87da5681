import { defineCommand } from '../frame/define-command.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

export default defineCommand({
  args: { ...nameArg },
  async run({ name }, context) {
    const { info, control } = await getLab(context, name)
    await control.stop()
    context.stdout.write(`The lab (pid ${info.pid}) stops.\n`)
    return 0
  },
})
