import { addressOf } from '../../../cluster/address.js'
import type { Patch, TalosMachine } from '../talos-machine.js'
import { PatchError } from './patch-error.js'

/** The values that a patch can use as `${node.name}`: facts of this machine, and those from the inventory. */
export function patchVariables(machine: TalosMachine): ReadonlyMap<string, string> {
  const { cluster, links } = machine
  const [link] = links
  const facts: Record<string, string | undefined> = {
    'node.name': machine.name,
    'node.role': machine.role,
    'node.hostname': machine.hostname,
    'node.ip': link?.addresses[0] === undefined ? undefined : addressOf(link.addresses[0]),
    'node.mac': link !== undefined && 'mac' in link.select ? link.select.mac.toLowerCase() : undefined,
    'node.gateway': link?.routes[0]?.gateway,
    'node.install_disk': machine.install.disk,
    'node.install_image': machine.install.image,
    'cluster.name': cluster.name,
    'cluster.endpoint': cluster.endpoint,
    'cluster.endpoint_host': new URL(cluster.endpoint).hostname.replace(/^\[|\]$/g, ''),
    'cluster.dns_domain': cluster.dnsDomain,
    'cluster.pod_cidr': cluster.podSubnets[0],
    'cluster.svc_cidr': cluster.serviceSubnets[0],
    'talos.contract': machine.contract,
    'talos.version': machine.talosVersion,
    'kubernetes.version': cluster.kubernetesVersion,
    ...machine.variables,
  }
  return new Map(Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined))
}

/** The patch with every `${name}` replaced; `$${` is an escaped `${`, for files with variables of their own. */
export function substituteVariables(patch: Patch, variables: ReadonlyMap<string, string>): Patch {
  const text = patch.text.replace(/\$?\$\{([^}\n]*)\}/g, (whole, name: string, offset: number) => {
    if (whole.startsWith('$$')) return whole.slice(1)
    return variables.get(name.trim()) ?? refuse(patch, name, offset, variables)
  })
  return { ...patch, text }
}

function refuse(patch: Patch, name: string, offset: number, variables: ReadonlyMap<string, string>): never {
  const line = patch.line + patch.text.slice(0, offset).split('\n').length - 1
  throw new PatchError(`The patch names \${${name}}, which has no value for this machine.`, {
    where: `${patch.source}:${line}`,
    fix: `Use one of ${[...variables.keys()].sort().join(', ')}; or write $\${${name}} to keep the text as it is.`,
  })
}
