import { PassThrough } from 'node:stream'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'

export interface Said {
  readonly code: number
  readonly text: string
  /** How often something was asked. */
  readonly questions: number
}

export interface Sitting {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** What is typed at each question; without it, there is no terminal. */
  readonly answers?: readonly string[]
}

/** The program in this process, in the real world, with or without somebody at its terminal. */
export async function atATerminal(words: readonly string[], { folder, env, answers }: Sitting): Promise<Said> {
  const stdin = Object.assign(new PassThrough(), answers === undefined ? {} : { isTTY: true })
  const left = [...(answers ?? [])]
  let text = ''
  let questions = 0
  const write = (more: string) => {
    text += more
    if (!/(\[y\/N\]|: )\s*$/.test(more) || answers === undefined) return
    questions++
    setImmediate(() => stdin.write(`${left.shift() ?? ''}\n`))
  }
  const code = await main(words, commands, {
    stdout: { write },
    stderr: { write },
    stdin,
    env,
    cwd: folder,
    signal: AbortSignal.timeout(50_000),
    program: 'ichor',
  })
  return { code, text, questions }
}
