import { createServer } from 'node:net'
import type { AuthContext, Connection } from 'ssh2'
import { carry, type Entrance, enterLab, type LabDoor, listenOnLoopback } from './lab-door.js'

/** What a client needs for SSH. */
export interface SshEntrance extends Entrance {
  /** `ssh-ed25519 AAAA…`, for a known_hosts file. */
  readonly hostKey: string
  readonly user: string
  /** The only accepted key, in OpenSSH's format. */
  readonly privateKey: string
}

/** An SSH server that only forwards into the lab: no shell, no commands, no files. */
export async function openSsh(door: LabDoor): Promise<SshEntrance> {
  const { Server, utils } = (await import('ssh2')).default
  const host = makeKeyPair(utils)
  const login = makeKeyPair(utils)
  const user = 'lab'
  const allowed = utils.parseKey(login.public)
  if (allowed instanceof Error) throw allowed
  const ssh = new Server({ hostKeys: [host.private] }, (client) => {
    client.on('error', () => client.end())
    client.on('authentication', (attempt) => judge(attempt, user, allowed))
    client.on('ready', () => forwardInto(door, client))
  })
  const entrance = await listenOnLoopback(createServer((socket) => ssh.injectSocket(socket)))
  return { ...entrance, hostKey: host.public.replace(/ lab$/, ''), user, privateKey: login.private }
}

const maxTries = 20

/** About one in a hundred Ed25519 keys that ssh2 writes is one that it cannot read: then another is generated. */
function makeKeyPair(utils: typeof import('ssh2').utils): { private: string; public: string } {
  for (let tries = 0; tries < maxTries; tries++) {
    const pair = utils.generateKeyPairSync('ed25519', { comment: 'lab' })
    if (!(utils.parseKey(pair.private) instanceof Error)) return pair
  }
  throw new Error('ssh2 wrote no key that it can read.')
}

interface PublicKey {
  readonly type: string
  getPublicSSH(): Buffer
  verify(data: Buffer, signature: Buffer, algorithm?: string): boolean | Error
}

function judge(attempt: AuthContext, user: string, allowed: PublicKey): void {
  if (attempt.username === user && isAllowed(attempt, allowed)) attempt.accept()
  else attempt.reject(['publickey'])
}

/** A client first queries whether a key is acceptable, and signs only then. */
function isAllowed(attempt: AuthContext, allowed: PublicKey): boolean {
  if (attempt.method !== 'publickey' || !attempt.key.data.equals(allowed.getPublicSSH())) return false
  const { blob, signature, hashAlgo } = attempt
  return blob === undefined || signature === undefined || allowed.verify(blob, signature, hashAlgo) === true
}

function forwardInto(door: LabDoor, client: Connection): void {
  client.on('session', (_, reject) => reject())
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    void enterLab(door, destIP, destPort).then((inside) => {
      if (inside === undefined) reject()
      else carry(accept(), inside.socket, inside.gate)
    })
  })
}
