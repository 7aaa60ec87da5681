import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { anInventoryFolder, aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'

let folder: string
let lab: RunningLab
let recipient: string
const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') })

const patch = 'machine:\n  sysctls:\n    vm.max_map_count: "262144"\n'
const manifest = (colour: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: site, namespace: default }\ndata: { colour: ${colour} }\n`

const script = 'true\n'
/** As the first `up` has written it. */
let lock: string

const standing = `${clusterYaml({ controlPlanes: 1, workers: 1 }).replace('v1.13.9', 'v1.13.8')}observability: { certificate_warning_days: 30 }
`
/** What is to come: a restart, an upgrade behind a snapshot, a patched config and an addon. */
const wantedIn = (
  home: string,
) => `${standing.replace('v1.13.8', 'v1.13.9').replace('worker: { cpu: 2', 'worker: { cpu: 1')}
talos: { patches: { cluster: [patch.yaml] } }
addons: { custom: [{ name: site, manifests: [site.yaml] }], argocd: { values: { colour: red } } }
roll: { before: [{ command: [sh, ${join(home, 'checks', 'before.sh')}] }], check: { command: [sh, -c, '. "${join(home, 'checks', 'shop.sh')}" --to=limits.txt; touch ${join(home, 'checked')}'] } }
`
let wanted: string

beforeAll(async () => {
  recipient = await identityToRecipient(await generateX25519Identity())
  folder = await anInventoryFolder({ 'cluster.yaml': standing })
  wanted = wantedIn(folder)
  lab = await runLab({ topology: aTopology(), speed: 500 }, env())
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  lock = await readFile(join(folder, 'ichor.lab.lock.yaml'), 'utf8')
})
beforeEach(() =>
  put({
    'cluster.yaml': wanted,
    'patch.yaml': patch,
    'site.yaml': manifest('blue'),
    'checks/shop.sh': script,
    'checks/before.sh': script,
    'limits.txt': 'latency: 1s',
    'ichor.lab.lock.yaml': lock,
  }),
)
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

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

type Edit = () => Record<string, string>
const edited =
  (from: string | RegExp, to: string): Edit =>
  () => ({ 'cluster.yaml': wanted.replace(from, to) })

test.each([
  ['the command of roll.check', edited('/checked', '/elsewhere'), 'roll'],
  ['how long the check may fail', edited('roll: {', 'roll: { check_timeout: 1d,'), 'roll'],
  ['how long a drain may take', edited('roll: {', 'roll: { ignore_budgets: true,'), 'roll'],
  ['the store of the snapshot', edited(/$/, 'backup: { etcd: { store: elsewhere } }\n'), 'backup'],
  ['the values of an addon', edited('colour: red', 'colour: green'), 'addons'],
  ['the script of roll.check', () => ({ 'checks/shop.sh': 'false\n' }), 'checks/shop.sh'],
  ['the script of roll.before', () => ({ 'checks/before.sh': 'false\n' }), 'checks/before.sh'],
  ['a file that the script is given', () => ({ 'limits.txt': 'latency: 1d' }), 'limits.txt'],
  ['the pinned digests', () => ({ 'ichor.lab.lock.yaml': `${lock}charts: {}\n` }), 'ichor.lab.lock.yaml'],
  ['a patch file', () => ({ 'patch.yaml': patch.replace('262144', '1') }), 'patch.yaml'],
  ['a file of manifests', () => ({ 'site.yaml': manifest('green') }), 'install site'],
  ['the address of Proxmox', edited('proxmox:\n', 'proxmox:\n  endpoint: https://elsewhere\n'), 'proxmox'],
  ['the jump host', edited('proxmox:\n', 'proxmox:\n  ssh: { host: elsewhere }\n'), 'proxmox'],
  ['what access is left behind', edited(/$/, 'client_files: { lifetime: 3650d }\n'), 'client_files'],
])('%s, changed after the approval: refused before anything happens', async (_, edit, named) => {
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  await put(edit())
  const before = mutatingCalls(lab.lab)
  const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
  expect(stderr).toContain('ichor plan --out')
  expect(stderr).toContain(named)
  expect(code).toBe(3)
  expect(mutatingCalls(lab.lab)).toEqual(before)
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
})

test('a recipient of someone else, added after the approval, is refused; before it, the plan shows it', async () => {
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  await put(edited(/$/, `backup: { etcd: { recipients: [${recipient}] } }\n`)())
  const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
  expect(stderr).toContain('backup')
  expect(code).toBe(3)
  expect((await ichor(['plan', '--steps'])).stdout.replace(/\s+/g, '')).toContain(recipient)
})

test('the plan shows the command that it runs and the store of the snapshot', async () => {
  const { stdout } = await ichor(['plan', '--steps'])
  const [shown] = /run roll\.checks after dev-wk-1: sh -c .*touch.*/.exec(stdout.replace(/\s+/g, ' ')) ?? []
  expect(shown).toContain(join(folder, 'checked'))
  expect(stdout).toContain('backups.lab')
})

test.each(['title', 'reason', 'loses', 'digest', 'target', 'inventory', 'cluster'])(
  'a plan file whose %s was edited is refused',
  async (field) => {
    expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
    const path = join(folder, 'approved.json')
    const plan = JSON.parse(await readFile(path, 'utf8'))
    const [first, ...rest] = plan.steps
    const change = { loses: ['nothing'] }[field] ?? (field === 'target' ? ['dev-wk-1'] : 'edited')
    const isOfStep = ['title', 'reason', 'loses', 'digest'].includes(field)
    const changed = isOfStep
      ? { ...plan, steps: [{ ...first, [field]: change }, ...rest] }
      : { ...plan, [field]: field === 'inventory' ? { roll: 'edited' } : change }
    await writeFile(path, JSON.stringify(changed))
    const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
    expect(stderr).toMatch(/its seal is invalid|other cluster/)
    expect(code).toBe(3)
  },
)

test('a plan file of version 1 is refused, and names the command for a new one', async () => {
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  const plan = JSON.parse(await readFile(join(folder, 'approved.json'), 'utf8'))
  await put({ 'approved.json': JSON.stringify({ ...plan, version: 1 }) })
  const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
  expect(stderr).toContain('ichor plan --out approved.json')
  expect(code).toBe(3)
})

test('in a folder, a plan is named after its digest', async () => {
  const { stdout } = await ichor(['plan', '--json', '--out', 'approvals/'])
  const { digest } = JSON.parse(stdout)
  const path = join(folder, 'approvals', `${digest}.json`)
  const { made_at, expires, lease } = JSON.parse(await readFile(path, 'utf8'))
  expect(Date.parse(expires) - Date.parse(made_at)).toBe(72 * 3600_000)
  expect(lease).toBe(1)
})

test('the id of the cluster, comments and the form of the lock file are not part of the plan', async () => {
  const digests = async () => {
    expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
    return JSON.parse(await readFile(join(folder, 'approved.json'), 'utf8')).inventory['ichor.lab.lock.yaml']
  }
  const before = await digests()
  expect(before).toBeDefined()
  await put({ 'ichor.lab.lock.yaml': `# ours\n${lock}` })
  expect(await digests()).toBe(before)
  await rm(join(folder, 'ichor.lab.lock.yaml'))
  expect(await digests()).toBe(before)
})

test('comments, and the same values written in another way, change nothing: the approved plan is carried out', async () => {
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  await put(edited('observability: { certificate_warning_days: 30 }', '# as before')())
  expect(await ichor(['up', '--plan', 'approved.json'])).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'checked'))).toBe(true)
})

test('an approval counts once, also where the same change is wanted again later', async () => {
  const larger = edited('worker: { cpu: 1', 'worker: { cpu: 2')
  await put(larger())
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  expect(await ichor(['up', '--plan', 'approved.json'])).toMatchObject({ code: 0 })
  await put({ 'cluster.yaml': wanted })
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await put(larger())
  const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
  expect(stderr).toContain('carried out already')
  expect(code).toBe(3)
  expect(await ichor(['plan', '--exit-code'])).toMatchObject({ code: 4 })
})
