import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { anInventoryFolder, aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'

let folder: string
let lab: RunningLab
const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') })

const never = '{ cron: "0 3 29 2 1", for: 1m }'
const yaml = ({ labels = '', watch = 'apply: true', more = '' } = {}) =>
  `${clusterYaml({ controlPlanes: 1, workers: 1 })}${labels === '' ? '' : `talos: { patches: { worker: ['machine: { nodeLabels: { tier: ${labels} } }'] } }\n`}watch: { ${watch} }\n${more}`

beforeAll(async () => {
  folder = await anInventoryFolder({ 'cluster.yaml': yaml() })
  lab = await runLab({ topology: aTopology(), speed: 500 }, env())
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

const put = (text: string) => writeFile(join(folder, 'cluster.yaml'), text)

/** The program, in this process, against the lab. */
async function ichor(words: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const output = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  const code = await main([...words, '-i', folder, '--lab'], commands, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: process.stdin,
    env: env(),
    cwd: folder,
    signal: AbortSignal.timeout(55_000),
    program: 'ichor',
  })
  return { code, ...written }
}

interface Event {
  readonly type: string
  readonly problem?: string
}

/** What one pass of a watch reports of plans and windows. */
async function pass(...flags: readonly string[]): Promise<Event[]> {
  const { stdout, stderr } = await ichor(['watch', '--once', '--json', ...flags])
  expect(stderr).toBe('')
  const events: Event[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return events.filter(({ type }) => /^(plan|window)/.test(type))
}
const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

/** A plan of the inventory as it is, beside it: what a person commits. */
async function approve(): Promise<string> {
  const { stdout } = await ichor(['plan', '--json', '--out', 'approvals/'])
  return join(folder, 'approvals', `${JSON.parse(stdout).digest}.json`)
}
const changesIn = async (work: () => Promise<unknown>) => {
  const before = mutatingCalls(lab.lab).length
  await work()
  return mutatingCalls(lab.lab).length - before
}

test('a pending plan waits for its approval, is carried out once, and is over', async () => {
  await put(yaml({ labels: 'one' }))
  expect(await changesIn(async () => expect(typesOf(await pass('--apply'))).toEqual(['plan.pending']))).toBe(0)
  const file = await approve()
  expect(await changesIn(async () => expect(typesOf(await pass())).toEqual([]))).toBe(0)
  expect(typesOf(await pass('--apply'))).toEqual(['plan.approved', 'plan.applied', 'plan.closed'])
  expect(typesOf(await pass('--apply'))).toEqual([])
  expect(await ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })

  // The same change is wanted again, and the file is still there.
  await put(yaml())
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await put(yaml({ labels: 'one' }))
  const [pending, stopped, ...others] = await pass('--apply')
  expect([pending, stopped, others]).toMatchObject([
    { type: 'plan.pending' },
    { problem: expect.stringContaining('carried out already') },
    [],
  ])
  expect(typesOf(await pass('--apply'))).toEqual([])
  await copyFile(file, join(folder, 'approvals', 'copy.json'))
  expect(await changesIn(() => pass('--apply'))).toBeLessThan(8)
  await rm(join(folder, 'approvals'), { recursive: true })
})

test.each([
  ['the inventory does not allow it', yaml({ labels: 'two', watch: 'apply: false' })],
  ['no window is open', yaml({ labels: 'two', watch: `apply: true, window: [${never}]` })],
])('%s: nothing is changed', async (_, text) => {
  await put(text)
  await pass('--apply')
  await approve()
  expect(await changesIn(async () => expect(typesOf(await pass('--apply'))).not.toContain('plan.applied'))).toBe(0)
  await rm(join(folder, 'approvals'), { recursive: true })
})

test('an approval that was edited, or is of another inventory, changes nothing and is reported once', async () => {
  await put(yaml({ labels: 'three' }))
  await pass('--apply')
  const file = await approve()
  const plan = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...plan, expires: '2099-01-01T00:00:00.000Z' }))
  const edited = await pass('--apply')
  expect(edited[1]).toMatchObject({ type: 'plan.stopped', problem: expect.stringContaining('seal is invalid') })
  expect(await pass('--apply')).toEqual([])
  await rm(file)
  await approve()
  await put(yaml({ labels: 'three', more: 'client_files: { lifetime: 3650d }\n' }))
  const other = await pass('--apply')
  expect(other.at(-1)).toMatchObject({ type: 'plan.stopped', problem: expect.stringContaining('client_files') })
  expect(await readdir(join(folder, 'approvals'))).toHaveLength(1)
  await rm(join(folder, 'approvals'), { recursive: true })
})

test('commands of the inventory run only with --allow-commands', async () => {
  const commands = `roll: { after: [{ command: [touch, ${join(folder, 'ran')}] }] }\n`
  await put(yaml({ labels: 'four', more: commands }))
  await pass('--apply')
  await approve()
  const stopped = await pass('--apply')
  expect(stopped.at(-1)).toMatchObject({ type: 'plan.stopped', problem: expect.stringContaining('commands in roll') })
  expect(typesOf(await pass('--apply', '--allow-commands'))).toEqual(['plan.applied', 'plan.closed'])
  await rm(join(folder, 'approvals'), { recursive: true })
})

test('a suspended cluster is left alone until it is resumed, and destroy takes the switch along', async () => {
  await put(yaml({ labels: 'five' }))
  await pass('--apply')
  await approve()
  expect(await ichor(['watch', 'suspend', 'dev'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('dev is suspended'),
  })
  expect(
    await changesIn(async () => expect(typesOf(await pass('--apply'))).toEqual(['plan.approved', 'plan.stopped'])),
  ).toBe(0)
  expect(await ichor(['watch', 'resume', 'dev'])).toMatchObject({ code: 0, stdout: 'dev is no longer suspended.\n' })
  expect(typesOf(await pass('--apply'))).toEqual(['plan.applied', 'plan.closed'])
  expect(await ichor(['watch', 'suspend', 'other'])).toMatchObject({ code: 2 })

  await ichor(['watch', 'suspend', 'dev'])
  expect(await ichor(['destroy', '--yes'])).toMatchObject({ code: 0 })
})
