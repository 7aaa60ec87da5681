import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandEntry } from '../../src/commands/frame/define-command.js'
import { commands } from '../../src/commands/index.js'
import { aDesk, type Desk } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
})
afterAll(() => desk.clear())

interface Verb {
  readonly words: readonly string[]
  readonly entry: CommandEntry
}

function verbsOf(entries: readonly CommandEntry[], before: readonly string[] = []): Verb[] {
  return entries.flatMap((entry) => {
    const words = [...before, entry.name]
    return [{ words, entry }, ...verbsOf(entry.subcommands ?? [], words)]
  })
}

const verbs = verbsOf(commands)
const isBuilt = ({ entry }: Verb) => entry.load !== undefined

test('the overview has a line for every verb, and so has no verb at all', async () => {
  const { stdout, code } = await desk.ichor(['--help'])
  expect(code).toBe(0)
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} +${escaped(summary)}`, 'm'))
  expect((await desk.ichor([])).stdout).toBe(stdout)
})

test.each(verbs.filter(isBuilt))(
  'ichor $words --help reports what it does and every option',
  async ({ words, entry }) => {
    const { stdout, code } = await desk.ichor([...words, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`ichor ${words.join(' ')}: ${entry.summary}`)
    for (const key of Object.keys((await entry.load?.())?.args ?? {})) {
      expect(stdout).toContain(`--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    }
  },
)

test.each(verbs.filter((verb) => !isBuilt(verb) && verb.entry.subcommands === undefined))(
  'ichor $words says that it is not there yet',
  async ({ words }) => {
    const { stderr, code } = await desk.ichor(words)
    expect(stderr).toContain('is not there yet')
    expect(code).toBe(1)
  },
)

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
