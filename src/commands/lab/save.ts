import { resolve } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { cannotWrite } from '../cannot-write.js'
import { defineCommand } from '../frame/define-command.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

export default defineCommand({
  description:
    'Saves the complete state of the lab; ichor lab load continues from it. The file contains the secrets of the lab.',
  args: { ...nameArg },
  positionals: [{ name: 'file', help: 'file to write', required: true }],
  async run({ name }, context, [file = '']) {
    const { control } = await getLab(context, name)
    const path = resolve(context.cwd, file)
    await writeDurably(path, JSON.stringify(await control.save())).catch(cannotWrite(path))
    context.stdout.write(`wrote ${file}\n`)
    return 0
  },
})
