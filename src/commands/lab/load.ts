import { resolve } from 'node:path'
import { UsageError } from '../../errors.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { programWords } from '../use-lab.js'
import { inLab, nameArg } from './named.js'
import { readSavedLab } from './saved-lab.js'

export default defineCommand({
  description: 'Starts a lab in the background from a file written by ichor lab save.',
  args: { ...jsonArg, ...nameArg },
  positionals: [{ name: 'file', help: 'file written by ichor lab save', required: true }],
  async run({ json, name }, context, [file = '']) {
    const { env, stdout, cwd } = inLab(context, name)
    const { findLab, labFile, startDetachedLab } = await import('../../lab/index.js')
    if ((await findLab(env)) !== undefined) {
      throw new UsageError('A lab is running already.', {
        where: labFile(env),
        fix: 'End it with ichor lab stop first.',
      })
    }
    await readSavedLab(resolve(cwd, file))
    const info = await startDetachedLab([...programWords(), 'lab', 'start', '--load', file], env)
    stdout.write(
      json
        ? `${JSON.stringify({ version: 1, ...info })}\n`
        : `The lab continues (pid ${info.pid}) at ${info.endpoint}\n`,
    )
    return 0
  },
})
