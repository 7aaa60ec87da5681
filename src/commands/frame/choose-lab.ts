import { saysLab } from '../../lab/lab-name.js'
import type { Command } from './define-command.js'

/**
 * `--lab=NAME` names a lab, and ICHOR_LAB sets `--lab` for every command that has it. The name is passed in the
 * environment, where every lab lookup finds it.
 */
export function chooseLab(
  words: readonly string[],
  { args }: Command,
  env: NodeJS.ProcessEnv,
): { words: readonly string[]; env: NodeJS.ProcessEnv } {
  if (args.lab?.type !== 'flag') return { words, env }
  const named = words.flatMap((word) => /^--lab=(.+)$/.exec(word)?.[1] ?? [])
  const plain = words.map((word) => (/^--lab=./.test(word) ? '--lab' : word))
  const [name] = named
  if (name !== undefined) return { words: plain, env: { ...env, ICHOR_LAB: name } }
  return { words: saysLab(env) && !words.includes('--lab') ? ['--lab', ...words] : words, env }
}
