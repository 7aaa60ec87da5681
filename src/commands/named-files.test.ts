import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from './frame/main.js'
import { commands } from './index.js'

const yaml = `cluster_name: dev
control_plane_count: 1
secrets: plain
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
proxmox: { target_nodes: [pve1], datastore: local-lvm }
`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-files-'))
  await writeFile(join(folder, 'cluster.yaml'), yaml)
  expect(await ichor('secrets', 'init')).toMatchObject({ code: 0 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function ichor(...words: string[]): Promise<{ code: number; text: string }> {
  return ichorIn({ HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }, ...words)
}

async function ichorIn(env: Record<string, string>, ...words: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const output = {
    write: (part: string) => {
      text += part
    },
  }
  const code = await main([...words, '-i', folder], commands, {
    stdout: output,
    stderr: output,
    stdin: process.stdin,
    env,
    cwd: folder,
    signal: AbortSignal.timeout(50_000),
    program: 'ichor',
  })
  return { code, text }
}

test.each([
  ['kubeconfig', '-o', 'cluster.yaml'],
  ['talosconfig', '-o', 'cluster.yaml'],
])('%s %s %s: what is no such file is refused, and stays as it is', async (...words) => {
  const { code, text } = await ichor(...words)
  expect(code, text).toBeGreaterThan(0)
  expect(text).toMatch(/^error /m)
  expect(text).not.toContain('bug in ichor')
  expect(await readFile(join(folder, 'cluster.yaml'), 'utf8')).toBe(yaml)
})

test.each([
  ['render', '--out', 'cluster.yaml'],
  ['support', '-o', '/dev/null/x.tar.gz'],
  ['tunnel', '--base-port', '70000'],
  ['secrets', 'decrypt', '--out', '/dev/null/x'],
  ['secrets', 'show', '--reveal', '--out', '/dev/null/x'],
])('%s %s %s is an error with a fix, and no bug of ichor', async (...words) => {
  const { code, text } = await ichor(...words)
  expect(code, text).toBeGreaterThan(0)
  expect(text).toMatch(/^error [\s\S]*^fix /m)
  expect(text).not.toContain('bug in ichor')
})

test.each([
  ['secrets', 'init'],
  ['up', '--lab', '--yes'],
  ['access', '--lab', '--yes'],
  ['kubeconfig', '--merge'],
  ['talosconfig', '--merge'],
  ['lab', 'status'],
])('%s %s where nothing can be written below HOME is an error with a fix, and no bug of ichor', async (...words) => {
  await writeFile(join(folder, 'cluster.yaml'), words[0] === 'secrets' ? yaml.replace('secrets: plain\n', '') : yaml)
  const { code, text } = await ichorIn({ HOME: '/dev/null' }, ...words)
  await writeFile(join(folder, 'cluster.yaml'), yaml)
  expect(code, text).toBeGreaterThan(0)
  expect(text).toMatch(/^error [\s\S]*^fix /m)
  expect(text).not.toContain('bug in ichor')
})

test('a file with revealed secrets is readable only by the user', async () => {
  expect(await ichor('secrets', 'show', '--reveal', '--out', 'clear.yaml')).toMatchObject({ code: 0 })
  const { mode } = await stat(join(folder, 'clear.yaml'))
  expect(mode & 0o777).toBe(0o600)
})
