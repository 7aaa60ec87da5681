import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aDesk, type Desk, type Ended, ended, smallInventory } from '../cli/ichor.js'

const patchCanary = 'canary-in-a-patch-7f3c91'
const passwordCanary = 'canary-as-a-password-b2d408'
const patch = `machine:
  env:
    PRIVATE_TOKEN: ${patchCanary}
  registries:
    config:
      registry.example.com:
        auth:
          username: robot
          password: ${passwordCanary}
`

let desk: Desk
const said: (Ended & { readonly words: readonly string[] })[] = []
const ichor = async (...words: string[]) => {
  const result = await desk.ichor(words, { TMPDIR: join(desk.folder, 'tmp') })
  said.push({ ...result, words })
  return result
}

beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', `${smallInventory}talos:\n  patches:\n    cluster: [patch.yaml]\n`)
  desk.write('patch.yaml', patch)
  desk.write('tmp/.keep', '')
  const { code, stderr } = await ichor('lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach')
  expect(stderr).toBe('')
  expect(code).toBe(0)
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

/** Every private value of the bundle, as it stands there and as the PEM text that it encodes. */
async function privateValues(): Promise<string[]> {
  const { stdout } = await desk.ichor(['secrets', 'show', '--reveal', '--lab'])
  const { cluster, secrets, trustdinfo, certs } = parse(stdout)
  const keys = Object.values<{ key: string }>(certs).map(({ key }) => key)
  const pems = keys.map((key) => Buffer.from(key, 'base64').toString().split('\n')[1] ?? '')
  const values = [cluster.secret, ...Object.values<string>(secrets), trustdinfo.token, ...keys, ...pems]
  expect(values.length).toBeGreaterThan(10)
  expect(values.every((value) => value.length > 15)).toBe(true)
  return values
}

/** What the verbs left behind: not the lab, which is the other side, nor the key of the user, nor what the user wrote. */
function filesLeft(folder = desk.folder): string[] {
  const own = ['.lab', '.config', 'cluster.yaml', 'patch.yaml']
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (own.includes(relative(desk.folder, path))) return []
    return entry.isDirectory() ? filesLeft(path) : [path]
  })
}

/** The text of a file, archives opened. */
function unpacked(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
}

/** Files that hold access to the cluster, or much about it. */
function isPrivate(path: string): boolean {
  return /(kubeconfig|talosconfig|secrets|support|\.age)/.test(basename(path))
}

test('no secret is printed, logged, journalled or left in a file, also when a run is killed', async () => {
  const killed = desk.start(['up', '--lab', '--yes', '--json'], { TMPDIR: join(desk.folder, 'tmp') })
  const dying = ended(killed)
  await new Promise((settle) => setTimeout(settle, 1500))
  killed.kill('SIGKILL')
  said.push({ ...(await dying), words: ['up', 'killed'] })

  await ichor('validate')
  await ichor('plan', '--lab', '--json')
  await ichor('plan', '--lab', '--steps')
  await ichor('plan', '--lab', '--out', 'plan.json')
  const up = await ichor('up', '--lab', '--yes', '--json')
  expect(up.code, up.stderr).toBe(0)
  for (const words of [
    ['status', '--json'],
    ['health', '--json'],
    ['capacity'],
    ['logs', 'dev-cp-1', 'kubelet'],
    ['render', '--diff'],
    ['secrets', 'show'],
    ['support', '-o', 'support.tar.gz'],
    ['backup', '--to', 'backups', '--json'],
    ['drill', '--offline', '--to', 'backups', '--json'],
    ['plan', '--destroy', '--json'],
  ])
    expect(await ichor(...words, '--lab'), words.join(' ')).toMatchObject({ code: 0 })

  const canaries = [...(await privateValues()), patchCanary, passwordCanary]
  const isClean = (text: string) => !canaries.some((canary) => text.includes(canary))
  expect(said.filter(({ stdout, stderr }) => !isClean(stdout + stderr)).map(({ words }) => words.join(' '))).toEqual([])
  const left = filesLeft()
  expect(left.length).toBeGreaterThan(5)
  const names = (paths: string[]) => paths.map((path) => relative(desk.folder, path))
  expect(names(left.filter((path) => !isClean(unpacked(path))))).toEqual([])
  const readable = left.filter((path) => isPrivate(path) && (statSync(path).mode & 0o077) !== 0)
  expect(names(readable), 'others may read these').toEqual([])
  expect(existsSync(join(desk.folder, 'support.tar.gz'))).toBe(true)
})
