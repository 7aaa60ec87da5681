import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ServerHostKeyAlgorithm } from 'ssh2'
import {
  fingerprintOf,
  judgeHostKey,
  type KnownHost,
  keyTypeOf,
  knownHostName,
  knownKeyTypes,
  parseKnownHosts,
} from './known-hosts.js'
import { formatTarget, ReachError } from './reach-error.js'
import type { SshJump } from './route.js'

/** Verifies the host key of the jump host. */
export interface HostKeyCheck {
  /** Host key algorithms to offer, known ones for this host first. */
  readonly algorithms: ServerHostKeyAlgorithm[]
  /** `undefined` if the key is the expected one. */
  findProblem(key: Buffer): ReachError | undefined
}

export async function loadHostKeyCheck(jump: SshJump): Promise<HostKeyCheck> {
  const port = jump.port ?? 22
  const known = jump.hostKey === undefined ? await readKnownHosts(jump) : pinned(jump, jump.hostKey)
  return {
    algorithms: preferKnown(knownKeyTypes(known, jump.host, port)),
    findProblem(key) {
      const verdict = judgeHostKey(known, jump.host, port, key)
      if (verdict.is === 'known') return undefined
      if (verdict.is === 'unknown') return unknownKey(jump, port, key)
      return verdict.is === 'changed' ? changedKey(jump, port, key, verdict.where) : revokedKey(jump, verdict.where)
    },
  }
}

async function readKnownHosts(jump: SshJump): Promise<KnownHost[]> {
  const files = jump.knownHosts ?? [
    join(homedir(), '.ssh', 'known_hosts'),
    join(homedir(), '.ssh', 'known_hosts2'),
    '/etc/ssh/ssh_known_hosts',
  ]
  const texts = await Promise.all(
    files.map((file) => readFile(file, 'utf8').then((text) => parseKnownHosts(text, file), noneIfMissing)),
  )
  return texts.flat()
}

function noneIfMissing(thrown: NodeJS.ErrnoException): KnownHost[] {
  if (thrown.code === 'ENOENT') return []
  throw thrown
}

function pinned(jump: SshJump, hostKey: string): KnownHost[] {
  return parseKnownHosts(`${knownHostName(jump.host, jump.port ?? 22)} ${hostKey}`, 'proxmox.ssh.host_key')
}

const supported: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

function preferKnown(types: readonly string[]): ServerHostKeyAlgorithm[] {
  const isKnown = (algorithm: string) => types.includes(algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm)
  return [...supported.filter(isKnown), ...supported.filter((algorithm) => !isKnown(algorithm))]
}

function unknownKey(jump: SshJump, port: number, key: Buffer): ReachError {
  const line = `${knownHostName(jump.host, port)} ${keyTypeOf(key)} ${key.toString('base64')}`
  return new ReachError(
    'unknown-host-key',
    `The SSH host ${jump.host} is not known; it shows the key ${fingerprintOf(key)}.`,
    {
      where: whereOf(jump),
      fix: `Compare that with what "ssh-keygen -lf" prints on the host's own console; if it is the same, add this line to ~/.ssh/known_hosts: ${line}`,
    },
  )
}

function changedKey(jump: SshJump, port: number, key: Buffer, where: string): ReachError {
  return new ReachError(
    'changed-host-key',
    `The SSH host ${jump.host} presented a key (${fingerprintOf(key)}) that differs from the known one. The connection may be intercepted, or the host was reinstalled.`,
    {
      where: `${where} (${whereOf(jump)})`,
      fix: `Find out why. If the new key is right, run "ssh-keygen -R '${knownHostName(jump.host, port)}'", and add the new one.`,
    },
  )
}

function revokedKey(jump: SshJump, where: string): ReachError {
  return new ReachError('revoked-host-key', `The SSH host ${jump.host} shows a key that is marked as revoked.`, {
    where: `${where} (${whereOf(jump)})`,
    fix: 'Do not connect to it. Generate a new key on the host and remove the old one.',
  })
}

/** The place in the inventory, and the address. */
export function whereOf(jump: SshJump): string {
  return `proxmox.ssh (${jump.user}@${formatTarget({ host: jump.host, port: jump.port ?? 22 })})`
}
