import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A fenced block of a page: its first word is the language, the second says what the text is. */
export interface Block {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly about: string
  readonly text: string
}

/** Every page that a user may read. */
export const pages: readonly string[] = execFileSync('git', [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '-z',
  '--',
  'README.md',
  'docs/**.md',
  'examples/**.md',
])
  .toString()
  .split('\0')
  .filter((file) => file !== '')

export function blocksOf(file: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; info: string; lines: string[] } | undefined
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const fence = /^ {0,3}```(.*)$/.exec(line)?.[1]
    if (fence === undefined) open?.lines.push(line)
    else if (open === undefined) open = { line: index + 1, info: fence.trim(), lines: [] }
    else {
      const [language = '', about = ''] = open.info.split(' ')
      blocks.push({ file, line: open.line, language, about, text: `${open.lines.join('\n')}\n` })
      open = undefined
    }
  }
  return blocks
}

/** The text of a page without its blocks. */
export function proseOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, '')
}
