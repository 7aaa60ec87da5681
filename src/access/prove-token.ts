import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { ApiToken } from '../proxmox/model/api-token.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { Clock } from '../world.js'
import type { Identity } from './identities.js'
import { TokenNotKept } from './token-errors.js'

interface Prover {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Opens a connection with this token, and closes it afterwards. */
  readonly as: <T>(token: ApiToken, work: (proxmox: Pick<ProxmoxPort, 'access'>) => Promise<T>) => Promise<T>
}

/** A token that was created on one host reaches the other hosts of the cluster a moment later. */
const attempts = 5
const pauseMs = 1000

/** Logs in with a token and checks whether Proxmox accepts it. */
export function createProver({ clock, signal, as }: Prover) {
  return async (token: ApiToken, identity: Identity): Promise<boolean> => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await as(token, ({ access }) => lacksOf(access, identity, signal)).catch(refusedToken)
      if (answer !== undefined) return mayAll(answer, token)
      if (attempt < attempts) await clock.sleep(pauseMs, signal)
    }
    return false
  }
}

function refusedToken(thrown: unknown): undefined {
  if (!isProxmoxError(thrown, 'unauthenticated')) throw thrown
}

async function lacksOf(
  access: ProxmoxPort['access'],
  { roles, acl }: Identity,
  signal: AbortSignal,
): Promise<string[]> {
  const lacks = await Promise.all(
    acl.map(async ({ path, role }) => {
      const held = await access.privilegesOn(path, signal)
      const wanted = roles.find(({ id }) => id === role)?.privileges ?? []
      return wanted.filter((privilege) => !held.has(privilege)).map((privilege) => `${privilege} on ${path}`)
    }),
  )
  return lacks.flat()
}

function mayAll(lacks: readonly string[], { id }: ApiToken): true {
  if (lacks.length === 0) return true
  throw new TokenNotKept(`The token ${id} lacks what its roles should give it: ${lacks.join(', ')}.`, id)
}
