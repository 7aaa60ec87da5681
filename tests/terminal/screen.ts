import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** A tmux window with a shell in it, of a size that can change. */
export interface Screen {
  readonly width: () => number
  type(line: string): void
  press(key: string): void
  resize(width: number, height?: number): void
  /** What is shown now, history included; lines that the terminal itself had to break are one. */
  lines(): string[]
  /** Until the text is on the screen. */
  until(pattern: RegExp, seconds: number): Promise<void>
  /** Until the shell waits for a command. */
  untilPrompt(seconds: number): Promise<void>
  /** Until a program has the alternate screen. */
  untilAlternate(seconds: number): Promise<void>
  isCursorShown(): boolean
  /** A program has the alternate screen. */
  isAlternate(): boolean
  /** The ID of the process that the shell runs. */
  foreground(): string
  close(): void
}

let counter = 0

export function openScreen(width: number, env: Readonly<Record<string, string>>, folder: string): Screen {
  const socket = `ichor-terminal-${process.pid}-${counter++}`
  const tmux = (...words: string[]) => execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8' })
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  let columns = width
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    String(width),
    '-y',
    '50',
    '-c',
    folder,
    'env',
    // Set by pipelines, where ichor prints lines in place of a live picture.
    '--unset=CI',
    ...variables,
    'bash',
    '--norc',
    '--noprofile',
  )
  tmux('set-option', '-g', 'history-limit', '20000')
  const lines = () =>
    tmux('capture-pane', '-p', '-J', '-S', '-')
      .split('\n')
      .map((line) => line.trimEnd())
  const isAlternate = () => tmux('display-message', '-p', '#{alternate_on}').trim() === '1'
  const poll = async (isThere: () => boolean, what: string, seconds: number) => {
    const end = Date.now() + seconds * 1000
    while (Date.now() < end) {
      if (isThere()) return
      await wait(200)
    }
    throw new Error(`${what} did not appear within ${seconds} s:\n${lines().join('\n')}`)
  }
  return {
    width: () => columns,
    type: (line) => {
      tmux('send-keys', '-l', line)
      tmux('send-keys', 'Enter')
    },
    press: (key) => void tmux('send-keys', key),
    resize: (wanted, height = 50) => {
      columns = wanted
      tmux('resize-window', '-x', String(wanted), '-y', String(height))
    },
    lines,
    until: (pattern, seconds) => poll(() => lines().some((line) => pattern.test(line)), String(pattern), seconds),
    untilPrompt: async (seconds) => {
      // What was typed last is on the screen first.
      await wait(300)
      await poll(() => lines().findLast((line) => line !== '') === '>', 'the prompt', seconds)
    },
    untilAlternate: (seconds) => poll(isAlternate, 'a screen of its own', seconds),
    isCursorShown: () => tmux('display-message', '-p', '#{cursor_flag}').trim() === '1',
    isAlternate,
    foreground: () => {
      const shell = tmux('display-message', '-p', '#{pane_pid}').trim()
      return execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }).trim()
    },
    close: () => void tmux('kill-server'),
  }
}

/** Lines that the terminal broke inside a word that would have fitted on a line of its own. */
export function brokenWords(lines: readonly string[], width: number): string[] {
  return lines.filter((line) => {
    for (let at = width; at < line.length; at += width) {
      const before = /\S+$/.exec(line.slice(0, at))?.[0] ?? ''
      const after = /^\S+/.exec(line.slice(at))?.[0] ?? ''
      if (before !== '' && after !== '' && before.length + after.length <= width) return true
    }
    return false
  })
}

/** What only a live screen or an open question shows, and must not leave behind. The bars of `capacity` stay. */
export function ghosts(lines: readonly string[]): string[] {
  return lines.filter((line) => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|█.*░|░{4,}|\(arrows/.test(line) && !line.includes(' GiB '))
}
