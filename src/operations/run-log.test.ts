import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import type { RunEvent } from '../events/event.js'
import type { Inventory } from '../inventory/inventory.js'
import { openRunLog } from './run-log.js'

test('every sink and the journal get the same numbered events; notices of the session are among them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'run-log-'))
  let notify = (_text: string): void => {}
  const [one, other]: [RunEvent[], RunEvent[]] = [[], []]
  const session = {
    inventory: fake<Inventory>({ folder }),
    onNotice: (listener: (text: string) => void) => {
      notify = listener
    },
  }
  const { run, emit } = openRunLog(session, [(event) => one.push(event), (event) => other.push(event)])
  emit({ type: 'run.noted', at: 'now', severity: 'warning', text: 'pve3 is offline', isInPlan: true })
  notify('made an age key')
  expect(one).toMatchObject([
    { run, seq: 1, text: 'pve3 is offline' },
    { run, seq: 2, severity: 'info', text: 'made an age key' },
  ])
  expect(other).toEqual(one)
  const [journal = ''] = await readdir(join(folder, '.ichor', 'journal'))
  const lines = (await readFile(join(folder, '.ichor', 'journal', journal), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(one)
})
