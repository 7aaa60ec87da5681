import { execFileSync } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import type { LedgerEntry } from '../../src/simulator/index.js'
import { anInventoryFolder, aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'

let folder: string
let lab: RunningLab
const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') })

const jump = 'ssh: { host: 10.0.10.1, user: root }'
const yaml = clusterYaml({ controlPlanes: 1, workers: 1 }).replace('proxmox:\n', `proxmox:\n  ${jump}\n`)

beforeAll(async () => {
  folder = await anInventoryFolder({ 'cluster.yaml': yaml })
  lab = await runLab({ topology: aTopology(), speed: 500 }, env())
  expect(await ichor(['up', '--yes'])).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

function isTalosCall({ surface, event }: LedgerEntry): boolean {
  return surface === 'talos' && event === 'call'
}

/** Somebody at a terminal who types this. */
function typing(answer: string): NodeJS.ReadStream {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end(`${answer}\n`)
  return stdin as unknown as NodeJS.ReadStream
}

/** The program, in this process, against the lab, through its SSH entrance. */
async function ichor(
  words: readonly string[],
  {
    signal = AbortSignal.timeout(55_000),
    onOutput = (_: string) => {},
    stdin = process.stdin as NodeJS.ReadStream,
  } = {},
) {
  let stdout = ''
  let stderr = ''
  const code = await main([...words, '-i', folder, '--lab'], commands, {
    stdout: {
      write: (text) => {
        stdout += text
        onOutput(stdout)
      },
    },
    stderr: {
      write: (text) => {
        stderr += text
      },
    },
    stdin,
    env: env(),
    cwd: folder,
    signal,
    program: 'ichor',
  })
  return { code, stdout, stderr }
}

test('health says by name that all is well', async () => {
  const { code, stdout, stderr } = await ichor(['health', '--all'])
  expect(`${stdout}${stderr}`).toContain('ok not found: An etcd member is not healthy')
  expect(stdout).not.toContain('not ok')
  expect(code).toBe(0)
})

test('certificates that end within certificate_warning_days are named by status and by health, with the fix', async () => {
  expect((await ichor(['health'])).stdout).not.toContain('expires on')
  const path = join(folder, 'cluster.yaml')
  await writeFile(path, `${yaml}observability: { certificate_warning_days: 4000 }\n`)
  const [health, status] = [await ichor(['health']), await ichor(['status'])]
  const { warnings } = JSON.parse((await ichor(['health', '--json'])).stdout)
  await writeFile(path, yaml)
  for (const { stdout } of [health, status])
    expect(stdout).toMatch(/Talos CA expires on 20\d\d-.*ichor secrets rotate talos-ca/s)
  expect([health.code, status.code]).toEqual([4, 4])
  expect(warnings).toContainEqual({
    text: expect.stringMatching(/^Kubernetes CA expires on /),
    fix: 'ichor secrets rotate kubernetes-ca',
  })
  // `up` would not write a new one in the first half of its life.
  expect(warnings).not.toContainEqual(expect.objectContaining({ text: expect.stringMatching(/^kubeconfig/) }))
})

test.each([
  { words: ['logs', 'dev-cp-1', 'etcd'], roles: ['os:reader'] },
  { words: ['dmesg', 'dev-wk-1'], roles: ['os:reader'] },
  { words: ['backup'], roles: ['os:etcd:backup'] },
  // Machine configs hold keys, and Talos shows them to nobody else.
  { words: ['status'], roles: ['os:admin'] },
  { words: ['health'], roles: ['os:admin'] },
])('nodes are asked with no more than the verb needs: $words as $roles', async ({ words, roles }) => {
  const before = lab.lab.ledger.entries().length
  expect(await ichor(words)).toMatchObject({ code: 0 })
  const calls = lab.lab.ledger.entries().slice(before).filter(isTalosCall)
  expect([...new Set(calls.map(({ detail }) => detail?.roles))]).toEqual(roles)
})

test('logs lists the services of a node, and shows what one of them says', async () => {
  const { stdout: list } = await ichor(['logs', 'dev-cp-1'])
  expect(list).toMatch(/^etcd +Running +healthy/m)
  const { code, stdout } = await ichor(['logs', 'dev-cp-1', 'etcd', '--tail', '5'])
  expect(code).toBe(0)
  expect(stdout.split('\n').length).toBeGreaterThan(1)
})

test('a name that is not in the inventory is refused with those that are', async () => {
  const { code, stderr } = await ichor(['logs', 'dev-cp-9', 'etcd'])
  expect(code).toBe(2)
  expect(stderr).toContain('dev-cp-1')
})

test('Ctrl-C while it only looks ends as a stop, whatever broke because of it', async () => {
  const { code, stderr } = await ichor(['plan'], { signal: AbortSignal.abort() })
  expect(stderr).toContain('Stopped before anything more was changed.')
  expect(code).toBe(130)
})

test('dmesg shows what the kernel says', async () => {
  const { code, stdout } = await ichor(['dmesg', 'dev-wk-1'])
  expect(code).toBe(0)
  expect(stdout).not.toBe('')
})

test('support gathers it all into one archive without a secret in it', async () => {
  const { code, stdout, stderr } = await ichor(['support'])
  expect(stderr).toContain('asking dev-cp-1')
  expect(code).toBe(0)
  const archive = stdout.trim()
  const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
  expect(names).toContain('dev-cp-1/machine-config.yaml')
  expect(names).toContain('dev-wk-1/logs/kubelet.log')
  expect(names).toContain('kubernetes/nodes.yaml')
  const text = execFileSync('tar', ['-xzOf', archive], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect(text).toContain('machine:')
  expect(text).not.toContain('PRIVATE KEY')
  expect(text).not.toMatch(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/)
  for (const encoded of text.match(/LS0tLS1CRUdJTi[A-Za-z0-9+/=]+/g) ?? []) {
    expect(Buffer.from(encoded, 'base64').toString()).not.toContain('PRIVATE KEY')
  }
})

test('tunnel holds a port open on which a node answers, until it is stopped', async () => {
  const stop = new AbortController()
  const ports = new Promise<{ name: string; port: number }[]>((resolve) => {
    void ichor(['tunnel', '--json'], {
      signal: stop.signal,
      onOutput: (text) => resolve(JSON.parse(text).tunnels),
    })
  })
  const talos = (await ports).find(({ name }) => name === 'Talos API of dev-cp-1')
  const subject = await new Promise<string>((resolve, reject) => {
    const socket = connectTls({ port: talos?.port ?? 0, host: '127.0.0.1', rejectUnauthorized: false })
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.subjectAltName ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
  expect(subject).toContain('10.0.10.')
  stop.abort()
})

test('a plan that was approved is done as it is: refused when the world, or the spec, has moved since', async () => {
  expect(await ichor(['plan', '--out', 'approved.json'])).toMatchObject({ code: 0 })
  expect(await ichor(['up', '--plan', 'approved.json'])).toMatchObject({ code: 0 })
  await writeFile(join(folder, 'cluster.yaml'), yaml.replace('worker: { cpu: 2', 'worker: { cpu: 1'))
  const { code, stderr } = await ichor(['up', '--plan', 'approved.json'])
  expect(stderr).toContain('The inventory has changed since this plan was created: sizing.')
  expect(code).toBe(3)
})

test('who says no changes nothing, and a script can tell', async () => {
  const before = mutatingCalls(lab.lab)
  const up = await ichor(['up'], { stdin: typing('n') })
  expect(up).toMatchObject({ code: 130, stdout: 'Nothing was changed.\n' })
  const destroy = await ichor(['destroy'], { stdin: typing('prod') })
  expect(destroy.stderr).toContain('"prod" is not dev.')
  expect(destroy).toMatchObject({ code: 130, stdout: 'Nothing was changed.\n' })
  expect(mutatingCalls(lab.lab)).toEqual(before)
})

test('what is protected is not destroyed; what is destroyed leaves its secrets, unless they are to go as well', async () => {
  await writeFile(join(folder, 'cluster.yaml'), `${yaml}protect: control_plane\n`)
  const refused = await ichor(['destroy', '--yes'])
  expect(refused.stderr).toContain('dev-cp-1 would be deleted, and is protected.')
  expect(refused.code).toBe(3)
  await writeFile(join(folder, 'cluster.yaml'), yaml)
  const gone = await ichor(['destroy'], { stdin: typing('dev') })
  expect(gone.stdout).toMatch(/^dev is gone\. Its secrets are kept in .*secrets\.lab\.sops\.yaml\.$/m)
  expect(gone.code).toBe(0)
  expect(whatIsThere(lab.lab).vms).toEqual([])
  expect(await readdir(folder)).toContain('secrets.lab.sops.yaml')
  const forGood = await ichor(['destroy', '--yes', '--with-secrets'])
  expect(forGood).toMatchObject({ code: 0, stdout: 'There is nothing of dev here.\n' })
  expect(await readdir(folder)).not.toContain('secrets.lab.sops.yaml')
})
