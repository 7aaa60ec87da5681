import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { appendFile, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Dialer } from '../../../src/reach/dialer.js'
import { createDialer } from '../../../src/reach/index.js'
import type { SshJump } from '../../../src/reach/route.js'
import { connectTalos } from '../../../src/talos/api/connect.js'
import type { TalosNode } from '../../../src/talos/api/port.js'
import { MachineService } from '../../../src/wire/machine/machine_pb.js'
import { startTalosServer, type TalosServer } from '../../support/talos-server.js'
import { makeKey, type OpenSshServer, startOpenSsh } from './open-ssh-server.js'

const signal = new AbortController().signal
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }
const calls = Number(process.env.ICHOR_SSH_CALLS ?? 500)

let talos: TalosServer
let sshd: OpenSshServer
let closed: OpenSshServer

before(async () => {
  talos = await startTalosServer((router) =>
    router.service(MachineService, {
      version: () => ({ messages: [{ version: { tag: 'v1.13.9' } }] }),
      async *dmesg() {
        for (let line = 0; line < 10_000; line++) {
          yield { bytes: Buffer.from(`line ${line}\n`) }
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      },
    }),
  )
  sshd = await startOpenSsh()
  closed = await startOpenSsh(['AllowTcpForwarding no'])
})
after(async () => {
  await Promise.all([talos.close(), sshd.close(), closed.close()])
})

const jumpTo = (server: OpenSshServer, over: Partial<SshJump> = {}): SshJump => ({
  user: server.user,
  host: '127.0.0.1',
  port: server.port,
  key: server.key,
  hostKey: server.hostKey,
  ...over,
})

const withoutPin = ({ hostKey: _, ...jump }: SshJump, knownHosts: string): SshJump => ({
  ...jump,
  knownHosts: [knownHosts],
})

async function through<T>(jump: SshJump, use: (node: TalosNode, dialer: Dialer) => Promise<T>): Promise<T> {
  const dialer = createDialer({ ssh: jump })
  const port = connectTalos({ dialer, clock, credentials: async () => ({ ca: talos.ca.crt, ...talos.admin }) })
  try {
    return await use(port.node({ machine: 'dev-cp-1', address: '127.0.0.1', port: talos.port }), dialer)
  } finally {
    await port.close()
    await dialer.close()
  }
}

const askVersion = (jump: SshJump) => through(jump, async (node) => (await node.version(signal)).tag)

const reasonFor = (jump: SshJump, port = talos.port, host = '127.0.0.1') =>
  through(jump, async (_, dialer) => {
    const socket = await dialer.dial({ host, port }, signal).catch((thrown: unknown) => thrown)
    if (socket instanceof Error) return (socket as { reason?: string }).reason
    return 'connected'
  })

async function knownHostsFile(name: string, line: string): Promise<string> {
  const path = join(sshd.folder, name)
  await writeFile(path, `${line}\n`)
  return path
}

test('a call goes through the jump host', async () => {
  assert.equal(await askVersion(jumpTo(sshd)), 'v1.13.9')
})

test('the host key is found in a known_hosts file, plain and hashed', async () => {
  const file = await knownHostsFile('known', `[127.0.0.1]:${sshd.port} ${sshd.hostKey}`)
  assert.equal(await askVersion(withoutPin(jumpTo(sshd), file)), 'v1.13.9')
  execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' })
  assert.match(await readFile(file, 'utf8'), /^\|1\|/)
  assert.equal(await askVersion(withoutPin(jumpTo(sshd), file)), 'v1.13.9')
})

test('an unknown, a changed and a revoked host key are refused', async () => {
  const name = `[127.0.0.1]:${sshd.port}`
  const none = await knownHostsFile('none', '# nobody')
  assert.equal(await reasonFor(withoutPin(jumpTo(sshd), none)), 'unknown-host-key')
  const changed = await knownHostsFile('changed', `${name} ${closed.hostKey}`)
  assert.equal(await reasonFor(withoutPin(jumpTo(sshd), changed)), 'changed-host-key')
  const revoked = await knownHostsFile('revoked', `@revoked ${name} ${sshd.hostKey}`)
  await appendFile(revoked, `${name} ${sshd.hostKey}\n`)
  assert.equal(await reasonFor(withoutPin(jumpTo(sshd), revoked)), 'revoked-host-key')
})

test('a key that is not authorized, and a user that is not there, are refused', async () => {
  const foreignVm = await makeKey(sshd.folder, 'foreign', '')
  assert.equal(await reasonFor(jumpTo(sshd, { key: foreignVm })), 'refused-login')
  assert.equal(await reasonFor(jumpTo(sshd, { user: 'nobody-here' })), 'refused-login')
})

test('a locked key needs its passphrase', async () => {
  const locked = await makeKey(sshd.folder, 'locked', 'open sesame')
  await appendFile(`${sshd.key}.pub`, await readFile(`${locked}.pub`))
  assert.equal(await reasonFor(jumpTo(sshd, { key: locked })), 'missing-key')
  assert.equal(await askVersion(jumpTo(sshd, { key: locked, passphrase: 'open sesame' })), 'v1.13.9')
})

test('an agent is asked when no key is named', async () => {
  const socket = join(sshd.folder, 'agent')
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await new Promise((resolve) => agent.stdout.once('data', resolve))
    execFileSync('ssh-add', ['-q', sshd.key], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'ignore' })
    const { key: _, ...jump } = jumpTo(sshd, { agent: socket })
    assert.equal(await askVersion(jump), 'v1.13.9')
  } finally {
    agent.kill()
  }
})

test('without an agent the usual files are tried, and an agent that is gone does not stop that', async () => {
  const home = process.env.HOME
  process.env.HOME = sshd.folder
  try {
    await mkdir(join(sshd.folder, '.ssh'), { mode: 0o700 })
    await copyFile(sshd.key, join(sshd.folder, '.ssh', 'id_ed25519'))
    const { key: _, ...jump } = jumpTo(sshd, { agent: join(sshd.folder, 'nobody') })
    assert.equal(await askVersion(jump), 'v1.13.9')
  } finally {
    process.env.HOME = home
  }
})

test('a forward that the host forbids, a closed port and an unknown name are distinguished', async () => {
  assert.equal(await reasonFor(jumpTo(closed)), 'refused-forward')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await reasonFor(jumpTo(sshd), port), 'port-closed')
  assert.equal(await reasonFor(jumpTo(sshd), 50_000, 'nowhere.invalid'), 'unreachable')
})

test('a cut in the middle of a stream is an error, and the next call gets through again', async () => {
  await through(jumpTo(sshd), async (node) => {
    const read = async () => {
      let isCut = false
      for await (const _ of node.dmesg({ follow: true, tail: false }, signal)) {
        if (!isCut) sshd.cutConnections()
        isCut = true
      }
    }
    await assert.rejects(read(), { name: 'TalosError', grpcCode: 'Unavailable' })
    assert.equal((await node.version(signal)).tag, 'v1.13.9')
  })
})

test('a connection that was cut while nobody used it is noticed and replaced', async () => {
  await through(jumpTo(sshd), async (node) => {
    await node.version(signal)
    sshd.cutConnections()
    for (let attempt = 0; attempt < 3; attempt++) {
      const tag = await node.version(signal).then(
        (answer) => answer.tag,
        () => 'cut',
      )
      if (tag === 'v1.13.9') return
    }
    assert.fail('it did not come back')
  })
})

test(`${calls} short calls through the jump, and fifty connections, without one failure`, async () => {
  await through(jumpTo(sshd), async (node) => {
    for (let done = 0; done < calls; done += 5) {
      await Promise.all(Array.from({ length: 5 }, () => node.version(signal)))
    }
  })
  const dialer = createDialer({ ssh: jumpTo(sshd) })
  for (let done = 0; done < 50; done++) {
    const port = connectTalos({ dialer, clock, credentials: async () => ({ ca: talos.ca.crt, ...talos.admin }) })
    await port.node({ machine: 'dev-cp-1', address: '127.0.0.1', port: talos.port }).version(signal)
    await port.close()
  }
  await dialer.close()
})

test("OpenSSH's own client can carry the same calls", async () => {
  const known = await knownHostsFile('openssh', `[127.0.0.1]:${sshd.port} ${sshd.hostKey}`)
  const jump = withoutPin(jumpTo(sshd, { driver: 'openssh' }), known)
  await through(jump, async (node) => {
    for (let done = 0; done < 100; done++) assert.equal((await node.version(signal)).tag, 'v1.13.9')
  })
  assert.equal(await askVersion(jumpTo(sshd, { driver: 'openssh' })), 'v1.13.9')
  const pinned = askVersion(jumpTo(sshd, { driver: 'openssh', hostKey: closed.hostKey }))
  await assert.rejects(pinned, /failed/)
})

test("what OpenSSH's own client complains about is reported in our words", async () => {
  const wrong = await knownHostsFile('openssh-wrong', `[127.0.0.1]:${sshd.port} ${closed.hostKey}`)
  const changed = withoutPin(jumpTo(sshd, { driver: 'openssh' }), wrong)
  await assert.rejects(askVersion(changed), (error: Error) => {
    assert.equal((error.cause as { reason?: string }).reason, 'changed-host-key')
    return true
  })
  const known = await knownHostsFile('openssh-closed', `[127.0.0.1]:${closed.port} ${closed.hostKey}`)
  const forbidden = withoutPin(jumpTo(closed, { driver: 'openssh' }), known)
  await assert.rejects(askVersion(forbidden), (error: Error) => {
    assert.equal((error.cause as { reason?: string }).reason, 'refused-forward')
    return true
  })
})
