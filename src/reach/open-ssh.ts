import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { makeTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { createBridge } from './bridge.js'
import type { Dialer, Target } from './dialer.js'
import { whereOf } from './host-key.js'
import { knownHostName } from './known-hosts.js'
import { formatTarget, ReachError, type ReachReason } from './reach-error.js'
import type { SshJump } from './route.js'

/**
 * Through the `ssh` program of this computer (`ssh -W`), for ssh_config, FIDO keys or certificates. It does not report
 * when the far end is connected: a refusal arrives as an error on the socket.
 */
export function createOpenSshDialer(jump: SshJump): Dialer {
  const bridge = createBridge()
  const running = new Set<ChildProcessWithoutNullStreams>()
  let pinned: Promise<TemporaryFolder> | undefined
  const knownHosts = async () => {
    if (jump.hostKey === undefined) return jump.knownHosts ?? []
    pinned ??= writePinned(jump, jump.hostKey)
    return [knownHostsIn(await pinned)]
  }

  return {
    async dial(target, signal) {
      signal.throwIfAborted()
      const child = spawn('ssh', sshArguments(jump, target, await knownHosts()), { stdio: 'pipe' })
      running.add(child)
      let failure: ReachError | undefined
      const ended = failureOf(child, jump, target).then((reason) => {
        running.delete(child)
        failure = reason
      })
      // Streams of our own: those of the program break when it exits, before the reason is known.
      const [questions, answers] = [new PassThrough(), new PassThrough()]
      questions.pipe(child.stdin)
      child.stdout.pipe(answers, { end: false })
      const socket = await bridge.toSocket(Duplex.from({ readable: answers, writable: questions }))
      socket.once('close', () => child.kill())
      if (failure !== undefined) {
        socket.destroy()
        throw failure
      }
      // The reason is known only when ssh has exited, so the end of its output is held back until then.
      void ended.then(() => {
        if (failure !== undefined) socket.destroy(failure)
        answers.end()
      })
      return socket
    },
    async close() {
      for (const child of running) child.kill()
      await bridge.close()
      await (await pinned)?.remove()
    },
  }
}

/** A file with the one key that the host must have, in a folder that only this user can enter. */
async function writePinned(jump: SshJump, hostKey: string): Promise<TemporaryFolder> {
  const folder = await makeTemporaryFolder('ssh')
  const line = `${knownHostName(jump.host, jump.port ?? 22)} ${hostKey}\n`
  await writeFile(knownHostsIn(folder), line, { mode: 0o600 })
  return folder
}

function knownHostsIn({ path }: TemporaryFolder): string {
  return join(path, 'known_hosts')
}

function sshArguments(jump: SshJump, target: Target, knownHosts: readonly string[]): string[] {
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'ExitOnForwardFailure=yes', 'ServerAliveInterval=10']
  if (knownHosts.length > 0) options.push(`UserKnownHostsFile=${knownHosts.map((file) => `"${file}"`).join(' ')}`)
  return [
    ...options.flatMap((option) => ['-o', option]),
    ...(jump.key === undefined ? [] : ['-i', jump.key]),
    ...(jump.port === undefined ? [] : ['-p', String(jump.port)]),
    '-W',
    formatTarget(target),
    '-l',
    jump.user,
    '--',
    jump.host,
  ]
}

/** Resolves when the program has exited: with the reason, if it failed. */
function failureOf(
  child: ChildProcessWithoutNullStreams,
  jump: SshJump,
  target: Target,
): Promise<ReachError | undefined> {
  let collected = ''
  child.stderr.on('data', (bytes: Buffer) => {
    collected = `${collected}${bytes.toString()}`.slice(-4000)
  })
  child.stdin.on('error', () => {})
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notRun(error, jump)))
    child.once('close', (code) =>
      resolve(code === 0 || child.killed ? undefined : failureFrom(collected, jump, target)),
    )
  })
}

const signs: readonly { pattern: RegExp; reason: ReachReason; fix: string }[] = [
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    reason: 'changed-host-key',
    fix: 'Find out why the key changed; if it is right, remove the old one with ssh-keygen -R.',
  },
  {
    pattern: /REVOKED HOST KEY/,
    reason: 'revoked-host-key',
    fix: 'Do not connect to it. Generate a new key on the host and remove the old one.',
  },
  {
    pattern: /Host key verification failed|No \S+ host key is known/,
    reason: 'unknown-host-key',
    fix: 'Connect to it once with ssh, and compare the fingerprint.',
  },
  {
    pattern: /Permission denied/,
    reason: 'refused-login',
    fix: 'Make sure that "ssh" to that host works without a prompt, then try again.',
  },
  {
    pattern: /administratively prohibited/,
    reason: 'refused-forward',
    fix: 'Allow it in the sshd_config of the host: AllowTcpForwarding yes, and no PermitOpen that leaves it out.',
  },
  {
    pattern: /open failed: connect failed: Connection refused/,
    reason: 'port-closed',
    fix: 'Check that the service is up and that the port is right.',
  },
]

function failureFrom(collected: string, jump: SshJump, target: Target): ReachError {
  const sign = signs.find(({ pattern }) => pattern.test(collected))
  const lines = collected.split('\n').map((line) => line.trim())
  const words = lines.filter((line) => line !== '' && !line.startsWith('@')).at(-1) ?? 'no output'
  return new ReachError(
    sign?.reason ?? 'unreachable',
    `ssh could not forward to ${formatTarget(target)} through ${jump.host}: ${words}`,
    {
      where: whereOf(jump),
      fix: sign?.fix ?? `Try "ssh -W ${formatTarget(target)} ${jump.user}@${jump.host}" in a shell.`,
    },
  )
}

function notRun(error: Error, jump: SshJump): ReachError {
  return new ReachError('unreachable', `The program ssh could not be started: ${error.message}.`, {
    where: whereOf(jump),
    fix: 'Install OpenSSH, or leave proxmox.ssh.driver out to use the built-in client.',
    cause: error,
  })
}
