import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommand } from '../frame/define-command.js'
import { getLab } from './running.js'

export default defineCommand({
  description: 'Writes the whole state of the lab; ichor lab load goes on from there. It holds the secrets of the lab.',
  args: {},
  positionals: [{ name: 'file', help: 'where to write it', required: true }],
  async run(_args, context, [file = '']) {
    const { control } = await getLab(context)
    await writeFile(resolve(context.cwd, file), JSON.stringify(await control.save()), { mode: 0o600 })
    context.stdout.write(`wrote ${file}\n`)
    return 0
  },
})
