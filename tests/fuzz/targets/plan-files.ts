import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { readApproved, refuseMovedWorld } from '../../../src/operations/approved-plan.js'
import { plainDigest } from '../../../src/plan/digest.js'
import { aWorld } from '../../support/worlds.js'
import { defineTarget } from '../target.js'
import { anyJson, damaged, damagedText, damages } from '../values.js'

const plan = {
  cluster: 'dev',
  steps: [],
  notes: [],
  expected: aWorld([]),
  rounds: 0,
  away: [],
  unknown: [],
  digester: plainDigest,
} as const
const written = {
  version: 2,
  cluster: 'dev',
  goal: 'up',
  cluster_id: null,
  made_at: '2026-11-15T12:00:00.000Z',
  expires: '2026-11-18T12:00:00.000Z',
  lease: 3,
  target: null,
  inventory: { roll: 'a' },
  seal: null,
  changes: 1,
  steps: [
    {
      id: 'claim-machine dev-cp-1',
      kind: 'claim-machine',
      title: 'create VM 2000',
      reason: 'new',
      after: [],
      machine: 'dev-cp-1',
      changes: [{ what: 'memory', from: '8 GiB', to: '6 GiB' }],
      digest: null,
      pending: [],
      loses: [],
    },
  ],
  notes: ['a note'],
}
const keys = [
  'version',
  'cluster',
  'steps',
  'notes',
  'id',
  'kind',
  'title',
  'after',
  'machine',
  'changes',
  'loses',
  'digest',
]

export const planFiles = defineTarget({
  name: 'plan-files',
  share: 0.2,
  prepare: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ichor-fuzz-'))
    const nothing = { write: () => undefined }
    const context = {
      stdout: nothing,
      stderr: nothing,
      stdin: Readable.from([]),
      env: {},
      cwd: folder,
      signal: new AbortController().signal,
      program: 'ichor',
    }
    return {
      inputs: fc.oneof(
        damages(keys).map((wounds) => JSON.stringify(damaged(written, wounds) ?? null)),
        anyJson(keys).map((value) => JSON.stringify(value ?? null)),
        damagedText(JSON.stringify(written)),
      ),
      read: async (text) => {
        await writeFile(join(folder, 'plan.json'), text)
        refuseMovedWorld(await readApproved('plan.json', context), plan, false)
      },
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})
