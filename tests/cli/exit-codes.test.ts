import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exitCodes } from '../../src/commands/exit-codes.js'
import { Cancelled, FileError, Incomplete, PlanRefused, UsageError } from '../../src/errors.js'
import { exitCodeList } from '../support/reference-pages/commands.js'
import { exitCodeMeanings } from '../support/reference-pages/exit-codes.js'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
  desk.write('good/cluster.yaml', smallInventory)
  desk.write('bad/cluster.yaml', 'cluster_name: dev\nworker_count: -1\n')
  desk.write(
    'crowded/cluster.yaml',
    `${smallInventory}pve_capacity: { pve1: { cpu: 64, ram: 1G } }\nsizing: { worker: { cpu: 2, ram: 4G, disk: 20G } }\n`,
  )
})
afterAll(() => desk.clear())

test.each([
  { words: ['validate', '-i', 'good'], code: 0, says: 'valid' },
  { words: ['validate', '-i', 'bad'], code: 2, says: 'worker_count' },
  { words: ['validate'], code: 2, says: 'There is no inventory here.' },
  { words: ['plan', '-i', 'good'], code: 2, says: 'No Proxmox endpoint is configured.' },
  { words: ['capacity', '-i', 'crowded'], code: 3, says: 'memory' },
  { words: ['render', '--out', 'out', '-i', 'good'], code: 1, says: 'The cluster has no secrets yet' },
  { words: ['valdate'], code: 2, says: 'Did you mean ichor validate?' },
  { words: ['secrets', 'shw'], code: 2, says: 'Did you mean ichor secrets show?' },
  { words: ['up', '--until', 'tomorrow'], code: 2, says: '--until must be one of vms, bootstrap, addons, healthy' },
  { words: ['plan', '--exit-cod'], code: 2, says: 'Did you mean --exit-code?' },
  { words: ['lab', 'start', '--speed', 'fast'], code: 2, says: '--speed must be a number' },
  { words: ['secrets', 'import'], code: 2, says: 'FILE is missing' },
  { words: ['schema', 'extra'], code: 2, says: '"extra" is not expected here.' },
  { words: ['access', '-i', 'good'], code: 2, says: 'PROXMOX_VE_PASSWORD' },
])('ichor $words ends with $code and says "$says"', async ({ words, code, says }) => {
  const ended = await desk.ichor(words)
  expect(ended.stdout + ended.stderr).toContain(says)
  expect(ended.code).toBe(code)
})

test('a failure is reported as JSON on stdout, with the same exit code', async () => {
  const { stdout, code } = await desk.ichor(['plan', '-i', 'good', '--json'])
  const { version, error } = JSON.parse(stdout)
  expect(version).toBe(1)
  expect(Object.keys(error)).toEqual(['code', 'message', 'where', 'fix'])
  expect(error.where).toContain('cluster.yaml:')
  expect(code).toBe(2)
})

test('without a terminal there are no colours, and NO_COLOR is honoured', async () => {
  const { stdout, stderr } = await desk.ichor(['validate', '-i', 'bad'])
  expect(stdout + stderr).not.toContain('\u001b[')
})

const nowhere = { where: '', fix: '' }
const thrown = [
  new UsageError('', nowhere),
  new PlanRefused('', { ...nowhere, findings: [] }),
  new Incomplete('', nowhere),
  new FileError('', nowhere),
  new Cancelled('', nowhere),
]

test('every error ends with a code that is documented, and README, reference and man page list the same ones', () => {
  const codes = new Set<number>(Object.values(exitCodes))
  for (const { exitCode } of thrown) expect(codes).toContain(exitCode)
  const plain = (path: string) => readFileSync(path, 'utf8').replace(/\s+/g, ' ')
  for (const path of ['README.md', 'docs/commands.md']) expect(plain(path)).toContain(exitCodeList())
  for (const [name, code] of Object.entries(exitCodes))
    expect(readFileSync('man/ichor.1', 'utf8')).toContain(
      `.B ${code}\n${exitCodeMeanings[name as keyof typeof exitCodes]}\n`,
    )
})
