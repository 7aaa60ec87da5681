import { catalogue } from '../addons/catalogue.js'
import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { AccessInventory } from './access-inventory.js'
import { controllerUser, type Identity } from './identities.js'
import { tokenNumber } from './token-name.js'

/** Removes user, token, rights and roles of controllers whose addon is no longer in the inventory. */
export async function removeFormerControllers(
  { access }: Pick<ProxmoxPort, 'access'>,
  { settings: { cluster_name: cluster } }: AccessInventory,
  current: readonly Identity[],
  signal: AbortSignal,
): Promise<string[]> {
  const names = catalogue.flatMap(({ identities }) => identities.map(({ name }) => name))
  const former = [...new Set(names)].filter(
    (name) => !current.some(({ user }) => user === controllerUser(cluster, name)),
  )
  const notes = await Promise.all(former.map((name) => removeController(access, cluster, name, signal)))
  return notes.flat()
}

async function removeController(
  access: ProxmoxPort['access'],
  cluster: string,
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const user = controllerUser(cluster, name)
  const tokens = await access.findTokens(user, signal)
  const isOurs = tokens?.some((token) => tokenNumber(token) !== undefined) ?? false
  if (!isOurs) return []
  const acl = (await access.acl(signal)).filter(({ subject }) => subject === user)
  for (const entry of acl) await access.revoke(entry, signal)
  const roles = (await access.roles(signal)).filter(({ id }) => /^-[a-z]+-\d+$/.test(id.slice(prefixOf(cluster, name))))
  const own = roles.filter(({ id }) => id.startsWith(`ichor-${cluster}-${name}-`))
  for (const { id } of own) await access.removeRole(id, signal)
  // Last: by its tokens the next run knows what is ours, if this one is interrupted.
  await access.removeUser(user, signal)
  return [`removed user ${user} with its token, permissions and roles: no addon needs it any more`]
}

function prefixOf(cluster: string, name: string): number {
  return `ichor-${cluster}-${name}`.length
}
