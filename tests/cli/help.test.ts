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
const canRun = ({ entry }: Verb) => entry.load !== undefined

test('the overview has every verb, by what it is for, and so has no verb at all', async () => {
  const { stdout, code } = await desk.ichor(['--help'])
  expect(code).toBe(0)
  for (const { name } of commands) expect(stdout).toMatch(new RegExp(`(^| )${name}( |$)`, 'm'))
  for (const group of ['Start', 'Build', 'Look', 'Connect', 'Manage'])
    expect(stdout).toMatch(new RegExp(`^${group} `, 'm'))
  expect((await desk.ichor([])).stdout).toBe(stdout)
})

test('help VERB is VERB --help, version is --version, and -i may stand before the verb', async () => {
  expect((await desk.ichor(['help', 'up'])).stdout).toBe((await desk.ichor(['up', '--help'])).stdout)
  expect((await desk.ichor(['help', 'lab', 'start'])).stdout).toContain('ichor lab start:')
  expect((await desk.ichor(['version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { stderr, code } = await desk.ichor(['-i', 'nowhere', 'validate'])
  expect(stderr).toContain('nowhere')
  expect(code).toBe(2)
  expect((await desk.ichor(['-i', 'nowhere'])).stderr).toContain('No command was given.')
})

test.each(verbs.filter(canRun))(
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
