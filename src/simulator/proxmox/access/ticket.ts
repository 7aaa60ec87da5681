import { ApiError } from '../api-error.js'
import { nowSeconds } from '../datacenter.js'
import { type Call, find, may, type Routes, text } from '../http/call.js'
import { isActive, makeTicket, userOfTicket } from './authenticate.js'
import type { Identity } from './permissions.js'

const areas: Record<string, { path: string; privileges: RegExp }> = {
  vms: { path: '/vms', privileges: /^(VM\.|Permissions\.Modify)/ },
  storage: { path: '/storage', privileges: /^(Datastore\.|Permissions\.Modify)/ },
  access: { path: '/access', privileges: /^(User|Group|Permissions)\./ },
  nodes: { path: '/nodes', privileges: /^(Sys\.|Permissions\.Modify)/ },
  sdn: { path: '/sdn', privileges: /^(SDN\.|Permissions\.Modify)/ },
  dc: { path: '/', privileges: /^(Sys\.(Audit|Modify)|SDN\.(Use|Audit|Allocate))$/ },
  mapping: { path: '/mapping', privileges: /^(Mapping\.|Permissions\.Modify)/ },
}

/** The rights that a user interface would show: by area, at any path in it. */
function capabilities(call: Call, identity: Identity): Record<string, Record<string, number>> {
  const paths = call.datacenter.state.access.acl.map(({ path }) => path)
  return Object.fromEntries(
    Object.entries(areas).map(([area, { path, privileges }]) => {
      const inside = area === 'dc' ? ['/'] : [path, ...paths.filter((other) => other.startsWith(`${path}/`))]
      const held = inside
        .flatMap((place) => [...call.permissions.at(identity, place).keys()])
        .filter((name) => privileges.test(name))
      return [area, Object.fromEntries(held.map((name) => [name, 1]))]
    }),
  )
}

function logIn(call: Call): unknown {
  const { datacenter } = call
  const realm = find(call, 'realm')
  const username = realm === undefined ? text(call, 'username') : `${text(call, 'username')}@${realm}`
  const password = text(call, 'password')
  const user = datacenter.state.access.users[username]
  const isRight =
    user !== undefined &&
    isActive(datacenter, user) &&
    (user.password === password || userOfTicket(datacenter, password) === username)
  if (!isRight) throw new ApiError(401, 'authentication failure\n')
  remember(call, username)
  const identity = { user: username }
  const cap = capabilities(call, identity)
  if (find(call, 'path') !== undefined) return { username, cap }
  const { ticket, csrf } = makeTicket(datacenter, username)
  const { clusterName, hosts } = datacenter.state
  const isClustered = Object.keys(hosts).length > 1 && may({ ...call, identity }, '/', ['Sys.Audit'])
  return { username, ticket, CSRFPreventionToken: csrf, cap, ...(isClustered ? { clustername: clusterName } : {}) }
}

const maxLogins = 50

function remember({ datacenter, entry }: Call, user: string): void {
  const { logins = [] } = datacenter.state
  datacenter.state.logins = [...logins, { user, host: entry, time: nowSeconds(datacenter) }].slice(-maxLogins)
}

export const ticketRoutes: Routes = {
  'GET /access/ticket': () => null,
  'POST /access/ticket': logIn,
}
