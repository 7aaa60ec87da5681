import { expect, test } from 'vitest'
import type { CommandEntry } from './frame/define-command.js'
import { commands } from './index.js'

async function flagsOf(entries: readonly CommandEntry[], path = ''): Promise<[verb: string, flags: string[]][]> {
  const all = entries.map(async (entry) => {
    const verb = `${path}${entry.name}`
    const own = entry.load === undefined ? [] : [[verb, Object.keys((await entry.load()).args)] as [string, string[]]]
    return [...own, ...(await flagsOf(entry.subcommands ?? [], `${verb} `))]
  })
  return (await Promise.all(all)).flat()
}

const verbs = await flagsOf(commands)
const changing = verbs.filter(([, flags]) => flags.includes('forceUnlock'))

test('every verb that takes the lease shows what it would do with --dry-run, and asks unless --yes', () => {
  expect(changing.length).toBeGreaterThan(10)
  for (const [verb, flags] of changing) {
    // `adopt` takes it for --abort, and prints an inventory.
    const json = verb === 'adopt' ? [] : ['json']
    expect(flags, verb).toEqual(expect.arrayContaining(['dryRun', 'yes', ...json]))
  }
})

test('every verb with a plan lists its steps', () => {
  // Images are deleted without a plan: they are listed.
  for (const [verb, flags] of changing) if (verb !== 'image prune') expect(flags, verb).toContain('steps')
})

test('a refusal for an advisory names --accept, and every verb that it can stop has it', () => {
  const stopped = ['up', 'scale', 'replace', 'reboot', 'upgrade', 'evacuate', 'restore', 'doctor', 'secrets rotate']
  const accepting = verbs.filter(([, flags]) => flags.includes('accept')).map(([verb]) => verb)
  expect(accepting.sort()).toEqual(stopped.sort())
})
