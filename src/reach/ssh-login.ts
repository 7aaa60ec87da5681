import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AgentAuthMethod, AuthMethod, PublicKeyAuthMethod } from 'ssh2'
import { reasonOf } from '../errors.js'
import { whereOf } from './host-key.js'
import { ReachError } from './reach-error.js'
import type { SshJump } from './route.js'

/** Login methods in the order in which they are tried: the named key alone, or the agent and then the usual files. */
export async function loadLogins(jump: SshJump): Promise<AuthMethod[]> {
  if (jump.key !== undefined) return [withKey(jump, await readNamedKey(jump, jump.key))]
  const agent = jump.agent ?? process.env.SSH_AUTH_SOCK
  const logins = [...(agent === undefined ? [] : [withAgent(jump, agent)]), ...(await usualKeys(jump))]
  if (logins.length === 0) throw noKey(jump)
  return logins
}

async function usualKeys(jump: SshJump): Promise<AuthMethod[]> {
  const names = ['id_ed25519', 'id_ecdsa', 'id_rsa']
  const keys = await Promise.all(names.map((name) => readFile(join(homedir(), '.ssh', name)).catch(() => undefined)))
  return keys.flatMap((key) => (key === undefined || isEncrypted(key) ? [] : [withKey(jump, key)]))
}

/** An OpenSSH key names its cipher unencrypted; an older PEM key has an encryption header. */
function isEncrypted(key: Buffer): boolean {
  const text = key.toString('latin1')
  if (!text.includes('OPENSSH PRIVATE KEY')) return text.includes('ENCRYPTED')
  const body = Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64')
  const cipherAt = 'openssh-key-v1\0'.length
  const length = body.readUInt32BE(cipherAt)
  return body.subarray(cipherAt + 4, cipherAt + 4 + length).toString() !== 'none'
}

function withKey(jump: SshJump, key: Buffer): AuthMethod {
  const login: PublicKeyAuthMethod = { type: 'publickey', username: jump.user, key }
  return jump.passphrase === undefined ? login : Object.assign(login, { passphrase: jump.passphrase })
}

function withAgent(jump: SshJump, agent: string): AuthMethod {
  const login: AgentAuthMethod = { type: 'agent', username: jump.user, agent }
  return login
}

async function readNamedKey(jump: SshJump, path: string): Promise<Buffer> {
  const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
  const key = await readFile(file).catch((thrown: unknown) => {
    throw new ReachError('missing-key', `The SSH key ${path} cannot be read: ${reasonOf(thrown)}.`, {
      where: whereOf(jump),
      fix: 'Name a private key that this user may read in proxmox.ssh.key, or leave it out to use the agent.',
      cause: thrown,
    })
  })
  if (isEncrypted(key) && jump.passphrase === undefined) throw lockedKey(jump, path)
  return key
}

function lockedKey(jump: SshJump, path: string): ReachError {
  return new ReachError('missing-key', `The SSH key ${path} is locked with a passphrase.`, {
    where: whereOf(jump),
    fix: `Unlock it once with "ssh-add ${path}" and leave proxmox.ssh.key out, so that the agent is used.`,
  })
}

function noKey(jump: SshJump): ReachError {
  return new ReachError('missing-key', `There is no SSH key to log in to ${jump.host} with.`, {
    where: whereOf(jump),
    fix: 'Start an agent and add a key to it (ssh-add), or name a private key in proxmox.ssh.key.',
  })
}
