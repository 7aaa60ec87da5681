import { UsageError } from '../errors.js'
import { completionScript, proposals } from './frame/completion.js'
import { defineCommand } from './frame/define-command.js'

export default defineCommand({
  description: 'Prints a script to source from your shell, for example: source <(ichor completion bash)',
  examples: [
    'source <(ichor completion bash)',
    'ichor completion zsh > ~/.zfunc/_ichor',
    'ichor completion fish | source',
  ],
  args: {},
  positionals: [
    { name: 'shell', help: 'bash, zsh or fish', required: true },
    { name: 'words', help: 'the words typed so far (asked by the script itself)', required: false, rest: true },
  ],
  async run(_args, { stdout }, [shell = '', ...words]) {
    if (shell === 'propose') {
      const { commands } = await import('./index.js')
      for (const proposal of await proposals(words, commands)) stdout.write(`${proposal}\n`)
      return 0
    }
    const script = completionScript(shell)
    if (script === undefined) {
      throw new UsageError(`There is no completion for ${JSON.stringify(shell)}.`, {
        where: 'ichor completion',
        fix: 'Choose bash, zsh or fish.',
      })
    }
    stdout.write(script)
    return 0
  },
})
