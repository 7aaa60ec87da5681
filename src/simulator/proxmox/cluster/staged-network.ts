import { nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import type { HostState } from '../state.js'

type Interface = Record<string, string | number>

const prefix = 'staged-'

function hostOf({ datacenter, host }: Call): HostState {
  const state = datacenter.state.hosts[host]
  if (state === undefined) throw died(`no such host '${host}'`)
  return state
}

/** Interfaces that wait for a network reload; stored separately from the host's current ones. */
export function stagedInterfaces(call: Call): Record<string, Interface> {
  const staged = Object.entries(hostOf(call).description).filter(([key]) => key.startsWith(prefix))
  return Object.fromEntries(staged.map(([key, value]) => [key.slice(prefix.length), JSON.parse(value) as Interface]))
}

/** How the host's file would change, in the format of `diff`. */
export function describeStaged(staged: Readonly<Record<string, Interface>>): string | undefined {
  const lines = Object.entries(staged).flatMap(([name, { type, autostart }]) => [
    ...(autostart === 1 ? [`auto ${name}`] : []),
    `iface ${name} inet manual`,
    ...(type === 'bridge' ? ['\tbridge-ports none', '\tbridge-stp off', '\tbridge-fd 0'] : []),
  ])
  if (lines.length === 0) return undefined
  const added = lines.map((line) => `+${line}\n`).join('')
  return `--- /etc/network/interfaces\n+++ /etc/network/interfaces.new\n@@ -1,0 +1,${lines.length} @@\n${added}`
}

function stage(call: Call): null {
  const { interfaces, description } = hostOf(call)
  const iface = text(call, 'iface')
  const type = text(call, 'type')
  const staged = stagedInterfaces(call)
  if (interfaces[iface] !== undefined || staged[iface] !== undefined)
    throw badParameters({ iface: 'interface already exists' })
  const details: Interface = {
    type,
    method: 'manual',
    method6: 'manual',
    priority: 3 + Object.keys(interfaces).length + Object.keys(staged).length,
    autostart: Number(find(call, 'autostart') ?? 0),
    ...(type === 'bridge' ? { bridge_ports: '', bridge_stp: 'off', bridge_fd: '0' } : {}),
  }
  description[`${prefix}${iface}`] = JSON.stringify(details)
  return null
}

function revert(call: Call): null {
  const { description } = hostOf(call)
  for (const iface of Object.keys(stagedInterfaces(call))) delete description[`${prefix}${iface}`]
  return null
}

function apply(call: Call): string {
  const { datacenter, host, identity } = call
  return datacenter.tasks.start({ host, type: 'srvreload', id: 'networking', user: nameOf(identity) }, async () => {
    const { interfaces } = hostOf(call)
    for (const [iface, details] of Object.entries(stagedInterfaces(call))) interfaces[iface] = { ...details, active: 1 }
    revert(call)
  })
}

export const stagedNetworkRoutes: Routes = {
  'POST /nodes/{node}/network': stage,
  'PUT /nodes/{node}/network': apply,
  'DELETE /nodes/{node}/network': revert,
}
