import { spawn } from 'node:child_process'
import type { Cluster } from './a-cluster.js'

/** One thing that talosctl does. */
export interface Check {
  readonly title: string
  run(talosctl: Talosctl, cluster: Cluster): Promise<void>
}

export interface Talosctl {
  /** Runs it on these nodes and gives what it prints; a failure is thrown with its words. */
  on(nodes: readonly string[], ...args: readonly string[]): Promise<string>
  /** The same in a terminal, for as long as given: for what never ends by itself. */
  inTerminal(ms: number, nodes: readonly string[], ...args: readonly string[]): Promise<string>
  /** From now on with this talosconfig. */
  use(talosconfig: string): void
}

const timeoutMs = 180_000

export function talosctlOf(program: string, firstConfig: string): Talosctl {
  let talosconfig = firstConfig
  const start = (command: string, args: readonly string[], ms: number) =>
    collect(command, args, ms, { ...process.env, TALOSCONFIG: talosconfig, TERM: 'xterm-256color' })
  return {
    on: async (nodes, ...args) => {
      const { output, code } = await start(program, ['-n', nodes.join(','), ...args], timeoutMs)
      if (code !== 0) throw new Error(`talosctl ${args.join(' ')} ended with ${code}:\n${output.slice(-1500)}`)
      return output
    },
    inTerminal: async (ms, nodes, ...args) => {
      const line = [program, '-n', nodes.join(','), ...args].join(' ')
      return (await start('script', ['-qec', line, '/dev/null'], ms)).output
    },
    use: (config) => {
      talosconfig = config
    },
  }
}

function collect(command: string, args: readonly string[], ms: number, env: NodeJS.ProcessEnv) {
  return new Promise<{ output: string; code: number | string }>((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: ms })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ output: Buffer.concat(pieces).toString(), code: code ?? signal ?? 'nothing' }),
    )
  })
}

/** Fails with the whole text where one of the words is missing. */
export function contains(text: string, ...words: readonly string[]): void {
  const missing = words.filter((word) => !text.includes(word))
  if (missing.length > 0) throw new Error(`${JSON.stringify(missing)} is missing in:\n${text.slice(-3000)}`)
}
