import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { anInventoryFolder, aTopology, clusterYaml } from '../support/lab.js'

const schedule = 'backup: { etcd: { schedule: "0 */6 * * *", keep: 1 } }\n'
let folder: string
let store: string
let lab: RunningLab
const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') })

beforeAll(async () => {
  folder = await anInventoryFolder({ 'cluster.yaml': clusterYaml({ workers: 0, extra: schedule }) })
  lab = await runLab({ topology: aTopology({ hosts: 3 }), speed: 500 }, env())
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
})
beforeEach(async () => {
  store = join(await mkdtemp(join(folder, 'store-')), 'backups')
})
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

/** The program, in this process, against the lab. */
async function ichor(words: readonly string[], more: Record<string, string> = {}) {
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
    env: { ...env(), ...more },
    cwd: folder,
    signal: AbortSignal.timeout(55_000),
    program: 'ichor',
  })
  return { code, ...written, json: () => jsonLines(written.stdout) }
}

function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Takes a snapshot and gives its manifest. */
async function backUp() {
  const { code, json, stderr } = await ichor(['backup', '--to', store, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [last] = json().slice(-1)
  expect(last).toMatchObject({ version: 1, type: 'backup.finished', store })
  return last.snapshot
}

test('a snapshot is taken from a follower with the rights of a backup only, listed, proved, and kept', async () => {
  const before = lab.lab.ledger.entries().length
  const manifest = await backUp()
  const calls = lab.lab.ledger
    .entries()
    .slice(before)
    .filter(({ event }) => event === 'call')
  expect(calls.filter(({ mutating }) => mutating)).toEqual([])
  const asked = calls
    .filter(({ surface }) => surface === 'talos')
    .map(({ detail }) => String(detail?.path).split('/').at(-1))
  expect(new Set(asked)).toEqual(new Set(['EtcdStatus', 'EtcdAlarmList', 'EtcdMemberList', 'EtcdSnapshot']))
  expect(manifest).toMatchObject({
    cluster: 'dev',
    talos_version: 'v1.13.9',
    kubernetes_version: expect.stringMatching(/^v1\./),
  })
  expect(manifest.members.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual([
    'dev-cp-1',
    'dev-cp-2',
    'dev-cp-3',
  ])
  expect(manifest.keys['/registry/minions/']).toBe(3)

  const [listed] = (await ichor(['backup', 'list', '--to', store, '--json'])).json()
  expect(listed).toMatchObject({
    version: 1,
    broken: [],
    snapshots: [{ name: manifest.name, drilled: null, sealed: true }],
  })
  const drill = await ichor(['drill', '--offline', '--to', store])
  expect(drill).toMatchObject({ code: 0, stdout: expect.stringContaining(`${manifest.name}: passed`) })
  expect(drill.stdout).toMatch(/nodes +3/)
  const { stdout } = await ichor(['backup', 'list', '--to', store])
  expect(stdout).toContain('passed (offline)')
  const journals = await readdir(join(folder, '.ichor', 'journal'))
  const events = await Promise.all(journals.map((file) => readFile(join(folder, '.ichor', 'journal', file), 'utf8')))
  expect(events.some((text) => text.includes('save-etcd-snapshot'))).toBe(true)
})

test('--if-due takes one, and then none until the schedule names a time again', async () => {
  const first = (await ichor(['backup', '--if-due', '--to', store, '--json'])).json()
  expect(first.at(-1)).toMatchObject({ type: 'backup.finished' })
  const second = await ichor(['backup', '--if-due', '--to', store, '--json'])
  expect(second.code).toBe(0)
  expect(second.json().at(-1)).toMatchObject({ type: 'run.finished', outcome: 'nothing-to-do', changed: 0 })
  expect((await readdir(store)).filter((name) => name.endsWith('.etcd.age'))).toHaveLength(1)
})

test('prune keeps what the inventory says', async () => {
  const older = await backUp()
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const newer = await backUp()
  const { code, json } = await ichor(['backup', 'prune', '--yes', '--to', store, '--json'])
  expect(code).toBe(0)
  expect(json()).toEqual([
    { version: 1, removed: [older.name], kept: [{ name: newer.name, because: 'last' }], unfinished: [] },
  ])
  expect((await readdir(store)).some((name) => name.startsWith(older.name))).toBe(false)
})

test.each([
  ['snapshot-corrupt', flip],
  ['snapshot-truncated', (path: string) => truncate(path, 10_000)],
])('%s is what the drill and the restore of a damaged file say', async (code, damage) => {
  const { name } = await backUp()
  await damage(join(store, `${name}.etcd.age`))
  const drill = await ichor(['drill', '--offline', name, '--to', store, '--json'])
  expect(drill.code).toBe(3)
  expect(drill.json().at(-1)).toMatchObject({ error: { code } })
  await restoreIsRefused(name, code)
})

test('a changed manifest is foreign', async () => {
  const { name } = await backUp()
  const manifest = JSON.parse(await readFile(join(store, `${name}.json`), 'utf8'))
  await writeFile(join(store, `${name}.json`), JSON.stringify({ ...manifest, revision: 1 }))
  const foreign = await ichor(['drill', '--offline', '--to', store, '--json'])
  expect(foreign).toMatchObject({ code: 3 })
  expect(foreign.json().at(-1)).toMatchObject({ error: { code: 'snapshot-foreign' } })
  await restoreIsRefused(name, 'snapshot-foreign')
})

test('status believes no manifest and no drill that the cluster did not seal', async () => {
  const place = join(folder, 'backups.lab')
  expect(await ichor(['backup'])).toMatchObject({ code: 0 })
  const seen = async () => (await ichor(['status', '--json'])).json()[0].backup
  const [{ snapshots }] = (await ichor(['backup', 'list', '--json'])).json()
  const { name, taken_at } = snapshots[0]
  expect(await seen()).toMatchObject({ name, last: taken_at, drilled: null })

  expect(await ichor(['drill', '--offline'])).toMatchObject({ code: 0 })
  const drill = JSON.parse(await readFile(join(place, `${name}.drill.json`), 'utf8'))
  expect(await seen()).toMatchObject({ drilled: drill.result.at })
  const at = '2099-01-01T00:00:00.000Z'
  for (const forged of [
    { ...drill, result: { ...drill.result, at } },
    { ...drill.result, at },
  ]) {
    await writeFile(join(place, `${name}.drill.json`), JSON.stringify(forged))
    expect(await seen()).toMatchObject({ name, drilled: null })
  }

  const later = name.replace(/-\d{8}T/, '-20990101T')
  const manifest = JSON.parse(await readFile(join(place, `${name}.json`), 'utf8'))
  await writeFile(join(place, `${later}.json`), JSON.stringify({ ...manifest, name: later, taken_at: at }))
  await writeFile(join(place, `${later}.etcd.age`), await readFile(join(place, `${name}.etcd.age`)))
  expect(await seen()).toMatchObject({ name, last: taken_at })
  const [listed] = (await ichor(['backup', 'list', '--json'])).json()
  expect(listed).toMatchObject({ snapshots: [{ name }], broken: [{ name: later, fault: 'foreign' }] })
  await rm(place, { recursive: true })
})

test('recipients of the inventory alone may open it', async () => {
  const identity = await generateX25519Identity()
  const yaml = clusterYaml({
    workers: 0,
    extra: `backup: { etcd: { recipients: [${await identityToRecipient(identity)}] } }\n`,
  })
  const before = await readFile(join(folder, 'cluster.yaml'), 'utf8')
  await writeFile(join(folder, 'cluster.yaml'), yaml)
  try {
    const { name } = await backUp()
    await restoreIsRefused(name, 'snapshot-undecryptable')
    const without = await ichor(['drill', '--offline', '--to', store, '--json'])
    expect(without.json().at(-1)).toMatchObject({ error: { code: 'snapshot-undecryptable' } })
    expect(await ichor(['drill', '--offline', '--to', store], { SOPS_AGE_KEY: identity })).toMatchObject({ code: 0 })
  } finally {
    await writeFile(join(folder, 'cluster.yaml'), before)
  }
})

test('a file of somebody else is read with --foreign only', async () => {
  const file = join(folder, 'theirs.snapshot')
  await writeFile(file, Buffer.alloc(10))
  expect((await ichor(['drill', '--offline', file])).code).toBe(2)
  expect(await ichor(['drill', '--offline', '--foreign', file])).toMatchObject({ code: 3 })
})

test('a snapshot of a newer etcd than this Talos brings is too new to be restored', async () => {
  const { name } = await backUp()
  const before = await readFile(join(folder, 'cluster.yaml'), 'utf8')
  await writeFile(join(folder, 'cluster.yaml'), before.replace('v1.13.9', 'v1.10.5'))
  try {
    await restoreIsRefused(name, 'snapshot-too-new')
  } finally {
    await writeFile(join(folder, 'cluster.yaml'), before)
  }
})

/** Before anything is changed, also over a cluster that may be replaced. */
async function restoreIsRefused(name: string, code: string): Promise<void> {
  const changes = () => lab.lab.ledger.entries().filter(({ event, mutating }) => event === 'call' && mutating).length
  const before = changes()
  const restored = await ichor(['restore', name, '--from', store, '--over-healthy', '--yes', '--json'])
  expect(restored.code).toBe(3)
  expect(restored.json().at(-1)).toMatchObject({ error: { code } })
  expect(changes()).toBe(before)
}

/** The last one: alarms stay. */
test('members with an alarm are passed over; without any other the reasons are named', async () => {
  const [status] = (await ichor(['status', '--json'])).json()
  const [one, other, last] = status.machines.map(({ uuid }: { uuid: string }) => uuid)
  lab.lab.talos.etcdAlarm(one, 'corrupt')
  lab.lab.talos.etcdAlarm(other, 'nospace')
  await backUp()
  lab.lab.talos.etcdAlarm(last, 'corrupt')
  const refused = await ichor(['backup', '--to', join(store, 'none')])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('its etcd has the alarm nospace')
  expect(existsSync(join(store, 'none'))).toBe(false)
})

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[40_000] = (bytes[40_000] ?? 0) ^ 1
  await writeFile(path, bytes)
}
