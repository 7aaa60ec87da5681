import type { AccessPlan, Identity } from '../../access/index.js'

/** Everything that would be created, one line each. */
export function describePlan({ run, controllers, missingContent }: AccessPlan, mayEnableContent: boolean): string {
  const identities = [run, ...controllers.map(({ identity }) => identity)]
  const content = missingContent.map(({ storage, content: kind }) =>
    mayEnableContent
      ? `storage ${storage}: allow ${kind}`
      : `storage ${storage} does not allow ${kind} yet: --enable-content allows it`,
  )
  return [...identities.flatMap(identityLines), ...content].join('\n')
}

function identityLines({ user, comment, pool, roles, acl }: Identity): string[] {
  return [
    `user ${user} with a token (${comment})`,
    ...(pool === undefined ? [] : [`  pool ${pool}`]),
    ...acl.map(({ path, role }) => `  ${path}: ${privilegesOf(role, roles).join(' ')}`),
  ]
}

function privilegesOf(role: string, roles: Identity['roles']): readonly string[] {
  return roles.find(({ id }) => id === role)?.privileges ?? []
}
