import { PassThrough } from 'node:stream'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import type { Program } from './program.js'

export interface Said {
  readonly code: number
  readonly text: string
}

/** At a terminal in the folder of the inventory, somebody agrees to everything and types the names that are asked for. */
export async function typed({ folder, env }: Program, words: readonly string[], signal: AbortSignal): Promise<Said> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let text = ''
  const write = (more: string) => {
    text += more
    if (!/(\[y\/N\]|: )\s*$/.test(more)) return
    const name = /Type (\S+) /.exec(more)?.[1]
    setImmediate(() => stdin.write(`${name ?? 'y'}\n`))
  }
  const code = await main(words, commands, {
    stdout: { write },
    stderr: { write },
    stdin,
    env: { ...env, ICHOR_LAB: '1' },
    cwd: folder,
    signal,
    program: 'ichor',
  })
  return { code, text }
}
