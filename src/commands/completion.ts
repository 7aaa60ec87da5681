import { UsageError } from '../errors.js'
import { namesFrom } from './completion-names.js'
import { completionScript } from './frame/completion.js'
import { defineCommand } from './frame/define-command.js'
import { proposals } from './frame/proposals.js'

export default defineCommand({
  description:
    'Prints a script for your shell to source. It completes commands and options with descriptions, and names of machines, hosts, pools, addons and snapshots from the inventory.',
  examples: [
    'source <(ichor completion bash)',
    'ichor completion zsh > ~/.zfunc/_ichor',
    'ichor completion fish | source',
  ],
  args: {},
  positionals: [
    { name: 'shell', help: 'bash, zsh or fish', required: true },
    { name: 'words', help: 'the words typed so far (passed by the script)', required: false, rest: true },
  ],
  async run(_args, context, [shell = '', ...words]) {
    if (shell === 'propose') {
      const { commands } = await import('./index.js')
      const found = await proposals(words, commands, namesFrom(context))
      for (const { word, about } of found)
        context.stdout.write(about === undefined ? `${word}\n` : `${word}\t${about}\n`)
      return 0
    }
    const script = completionScript(shell)
    if (script === undefined) {
      throw new UsageError(`There is no completion for ${JSON.stringify(shell)}.`, {
        where: 'ichor completion',
        fix: 'Choose bash, zsh or fish.',
      })
    }
    context.stdout.write(script)
    return 0
  },
})
