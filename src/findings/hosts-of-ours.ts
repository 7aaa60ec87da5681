import { ifSeen } from '../cluster/seen.js'
import type { ExaminedHost } from '../examine/examined.js'
import type { Facts } from './facts.js'

type HostStatus = Extract<ExaminedHost['status'], { readonly seen: true }>['value']

/** Examined hosts with machines of this cluster, and these. */
function hostsOfOurs({ observed, examined }: Facts): { host: ExaminedHost; machines: string[] }[] {
  return (examined?.hosts ?? []).flatMap((host) => {
    const machines = observed.machines.filter((machine) => machine.host === host.name).map(({ name }) => name)
    return machines.length === 0 ? [] : [{ host, machines }]
  })
}

/** Those whose status could be read. */
export function statusOfOurHosts(facts: Facts): { name: string; machines: string[]; status: HostStatus }[] {
  return hostsOfOurs(facts).flatMap(({ host, machines }) => {
    const status = ifSeen(host.status)
    return status === undefined ? [] : [{ name: host.name, machines, status }]
  })
}
