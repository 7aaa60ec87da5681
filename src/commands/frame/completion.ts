import type { CommandEntry } from './define-command.js'
import { flagName } from './parse.js'

/** What could stand where the last word is being typed. */
export async function proposals(words: readonly string[], entries: readonly CommandEntry[]): Promise<string[]> {
  const typed = words.at(-1) ?? ''
  const entry = entries.find((candidate) => candidate.name === words[0])
  if (words.length <= 1 || entry === undefined)
    return startingWith(
      typed,
      entries.map(({ name }) => name),
    )
  if (entry.subcommands !== undefined && !typed.startsWith('-')) return proposals(words.slice(1), entry.subcommands)
  const command = await loaderOf(entry, words[1])?.()
  if (command === undefined) return []
  const flags = Object.keys(command.args).map((key) => `--${flagName(key)}`)
  const previous = Object.entries(command.args).find(([key]) => `--${flagName(key)}` === words.at(-2))?.[1]
  if (previous?.type === 'choice') return startingWith(typed, previous.choices)
  return typed.startsWith('-') ? startingWith(typed, [...flags, '--help']) : []
}

function loaderOf(entry: CommandEntry, next: string | undefined) {
  return entry.subcommands?.find(({ name }) => name === next)?.load ?? entry.load
}

function startingWith(typed: string, words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith(typed))
}

/** `undefined` for a shell that we do not know. File names are left to the shell. */
export function completionScript(shell: string): string | undefined {
  return scripts[shell]
}

const scripts: Readonly<Record<string, string>> = {
  bash: `_ichor() {
  local IFS=$'\\n'
  COMPREPLY=($(ichor completion propose -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _ichor ichor
`,
  zsh: `#compdef ichor
_ichor() {
  local -a found
  found=("\${(@f)$(ichor completion propose -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _ichor ]]; then _ichor "$@"; else compdef _ichor ichor; fi
`,
  fish: `function __ichor_complete
  set -l words (commandline -opc) (commandline -ct)
  ichor completion propose -- $words[2..-1] 2>/dev/null
end
complete -c ichor -a '(__ichor_complete)'
`,
}
