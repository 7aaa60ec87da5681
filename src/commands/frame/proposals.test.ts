import { expect, test } from 'vitest'
import { type CommandEntry, defineCommand } from './define-command.js'
import { type NameKind, proposals } from './proposals.js'

const logs = defineCommand({
  args: {
    inventory: { type: 'list', short: 'i', placeholder: 'PATH', help: 'the inventory' },
    follow: { type: 'flag', help: 'keep reading' },
    until: { type: 'choice', choices: ['vms', 'healthy'], help: 'where to stop' },
    lose: { type: 'text', placeholder: 'HOST', help: 'a host' },
  },
  positionals: [
    { name: 'NODE', help: 'a machine', required: true },
    { name: 'SNAPSHOT', help: 'a snapshot', required: false },
  ],
  run: async () => 0,
})
const scale = defineCommand({
  args: {},
  positionals: [{ name: 'POOL=COUNT', help: 'pools', required: true, rest: true }],
  run: async () => 0,
})
const entries: CommandEntry[] = [
  { name: 'logs', group: 'Look', summary: 'show logs', load: async () => logs },
  { name: 'scale', group: 'Change', summary: 'more or fewer', load: async () => scale },
  {
    name: 'backup',
    group: 'Protect',
    summary: 'take one',
    load: async () => logs,
    subcommands: [{ name: 'list', group: 'Protect', summary: 'list them', load: async () => logs }],
  },
]
const names: Record<NameKind, string> = {
  machine: 'dev-cp-1',
  host: 'pve1',
  pool: 'workers',
  size: 'workers=2',
  addon: 'cilium',
  snapshot: 'dev-20260101T000000Z-00000000',
}

test.each([
  { typed: 'l', found: ['logs'] },
  { typed: 'he', found: ['help'] },
  { typed: 'help l', found: ['logs'] },
  { typed: 'logs d', found: ['dev-cp-1'] },
  { typed: 'logs --follow d', found: ['dev-cp-1'] },
  { typed: 'logs dev-cp-1 ', found: [names.snapshot] },
  { typed: 'logs --lose ', found: ['pve1'] },
  { typed: 'logs --until ', found: ['vms', 'healthy'] },
  { typed: 'logs --fo', found: ['--follow'] },
  { typed: 'logs --follow --fo', found: [] },
  { typed: 'logs -i ', found: [] },
  { typed: '-i dev logs d', found: ['dev-cp-1'] },
  { typed: '-i ', found: [] },
  { typed: 'scale w', found: ['workers'] },
  { typed: 'scale workers=3 w', found: ['workers'] },
  { typed: 'backup ', found: ['list', 'dev-cp-1'] },
  { typed: 'backup list d', found: ['dev-cp-1'] },
  { typed: 'nothing x', found: [] },
])('"$typed" is completed by $found', async ({ typed, found }) => {
  const words = typed.split(' ')
  const proposed = await proposals(words, entries, async (kind) => [{ word: names[kind] }])
  expect(proposed.map(({ word }) => word)).toEqual(found)
})

test('commands and options come with what they are for', async () => {
  expect(await proposals(['lo'], entries, async () => [])).toEqual([{ word: 'logs', about: 'show logs' }])
  expect(await proposals(['logs', '--fol'], entries, async () => [])).toEqual([
    { word: '--follow', about: 'keep reading' },
  ])
})
