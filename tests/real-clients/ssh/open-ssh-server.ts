import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A real OpenSSH server on a loopback port, with throw-away keys, that ends with the test. */
export interface OpenSshServer {
  readonly port: number
  readonly user: string
  /** Path of the private key that is let in. */
  readonly key: string
  /** `ssh-ed25519 AAAA…`. */
  readonly hostKey: string
  /** Everything of this server lives here; tests may put files there too. */
  readonly folder: string
  /** Kills the processes that serve connections; the server itself goes on. */
  cutConnections(): void
  close(): Promise<void>
}

export async function startOpenSsh(settings: readonly string[] = []): Promise<OpenSshServer> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-sshd-'))
  const hostKeyFile = await makeKey(folder, 'host', '')
  const key = await makeKey(folder, 'user', '')
  const port = await freePort()
  const config = join(folder, 'sshd_config')
  await writeFile(config, sshdConfig({ port, folder, hostKeyFile, key, settings }))
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  await untilListening(child)
  const [type, text] = (await readFile(`${hostKeyFile}.pub`, 'utf8')).split(' ')
  return {
    port,
    user: userInfo().username,
    key,
    hostKey: `${type} ${text}`,
    folder,
    cutConnections: () => {
      for (const pid of descendantsOf(child.pid)) process.kill(pid, 'SIGKILL')
    },
    close: async () => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A private key by ssh-keygen, with its public half beside it. */
export async function makeKey(folder: string, name: string, passphrase: string, type = 'ed25519'): Promise<string> {
  const path = join(folder, name)
  await run('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', name, '-f', path])
  return path
}

interface Config {
  readonly port: number
  readonly folder: string
  readonly hostKeyFile: string
  readonly key: string
  readonly settings: readonly string[]
}

/** The first word on a subject counts in sshd_config, so the settings of the test come first. */
function sshdConfig({ port, folder, hostKeyFile, key, settings }: Config): string {
  return [
    ...settings,
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKeyFile}`,
    `PidFile ${join(folder, 'sshd.pid')}`,
    `AuthorizedKeysFile ${key}.pub`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'AllowTcpForwarding yes',
    // Whatever would want to run a command there fails.
    'ForceCommand /bin/false',
    'PermitTTY no',
    'MaxSessions 200',
    'MaxStartups 200',
    '',
  ].join('\n')
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (said.includes('Server listening')) resolve()
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`sshd ended with ${code}: ${said}`)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Only what this server has started itself. */
function descendantsOf(parent: number | undefined): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = pids.filter((pid) => parentOf(pid) === parent).map(Number)
  return children.flatMap((pid) => [...descendantsOf(pid), pid])
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
