import type { AccessPlan, Identity } from '../../access/index.js'
import type { Administered } from './administered.js'

/** Everything that would be created, one line each. */
export function describePlan(
  { run, controllers, missingContent }: AccessPlan,
  { changes }: Pick<Administered, 'changes'>,
  mayEnableContent: boolean,
): string {
  const identities = [run, ...controllers.map(({ identity }) => identity)]
  const content = missingContent.map(({ storage, content: kind }) =>
    mayEnableContent
      ? `storage ${storage}: allow ${kind}`
      : `storage ${storage} does not allow ${kind} yet: --enable-content allows it`,
  )
  return [...identities.flatMap(identityLines), ...content, ...changes].join('\n')
}

function identityLines({ user, comment, pools, roles, acl }: Identity): string[] {
  return [
    `user ${user} with a token (${comment})`,
    ...pools.map((pool) => `  pool ${pool}`),
    ...acl.map(({ path, role }) => `  ${path}: ${privilegesOf(role, roles).join(' ')}`),
  ]
}

function privilegesOf(role: string, roles: Identity['roles']): readonly string[] {
  return roles.find(({ id }) => id === role)?.privileges ?? []
}
