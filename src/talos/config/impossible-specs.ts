import { ConfigError } from './config-error.js'
import type { TalosMachine } from './talos-machine.js'

interface Impossible {
  readonly problem: string
  readonly where: string
  readonly fix: string
}

/** Refuses what Talos would refuse at boot, where the error is invisible. */
export function refuseImpossible(machine: TalosMachine): void {
  const [first] = [
    ...linkProblems(machine),
    ...volumeProblems(machine),
    ...clusterProblems(machine),
    ...repeatedNames(machine),
  ]
  if (first === undefined) return
  throw new ConfigError(first.problem, { where: `${machine.name}: ${first.where}`, fix: first.fix })
}

function linkProblems({ name, role, links }: TalosMachine): Impossible[] {
  const vips = links
    .flatMap((link) => [link.vip, ...link.vlans.map(({ vip }) => vip)])
    .filter((vip) => vip !== undefined)
  const tags = links.flatMap((link) => link.vlans.map(({ id }) => id)).filter((id) => id < 1 || id > 4094)
  return [
    ...(role === 'worker' ? vips : []).map((vip) => ({
      problem: `${name} is a worker, but has the VIP ${vip}, which only control planes can use.`,
      where: 'vip',
      fix: 'Remove the shared address from the worker.',
    })),
    ...tags.map((id) => ({
      problem: `${name} has VLAN ${id}; VLAN IDs are 1 to 4094.`,
      where: 'vlans',
      fix: 'Correct the number of the VLAN.',
    })),
  ]
}

function volumeProblems({ userVolumes }: TalosMachine): Impossible[] {
  return userVolumes
    .filter(({ name }) => !/^[A-Za-z0-9-]{1,34}$/.test(name))
    .map(({ name }) => ({
      problem: `Talos does not accept the volume name "${name}".`,
      where: `volume ${name}`,
      fix: 'Use 1 to 34 letters, digits and dashes.',
    }))
}

function clusterProblems({ cluster }: TalosMachine): Impossible[] {
  if (URL.canParse(cluster.endpoint) && cluster.endpoint.startsWith('https://')) return []
  return [
    {
      problem: `The cluster endpoint "${cluster.endpoint}" is not an https address.`,
      where: 'cluster endpoint',
      fix: 'Write it as https://<address or name>:6443.',
    },
  ]
}

/** Talos refuses two documents of the same kind and name. */
function repeatedNames({ userVolumes, registries, ingressFirewall, kernelModules, links }: TalosMachine): Impossible[] {
  const names: Readonly<Record<string, readonly string[]>> = {
    volume: userVolumes.map(({ name }) => name),
    registry: registries.map(({ host }) => host),
    'firewall rule': (ingressFirewall?.rules ?? []).map(({ name }) => name),
    'kernel module': kernelModules.map(({ name }) => name),
    link: links.map(({ select }) => ('mac' in select ? select.mac.toLowerCase() : select.busPath)),
  }
  return Object.entries(names).flatMap(([what, all]) => {
    const twice = all.find((name, index) => all.indexOf(name) !== index)
    if (twice === undefined) return []
    return [
      { problem: `The ${what} ${twice} is given twice.`, where: `${what} ${twice}`, fix: 'Remove one of the two.' },
    ]
  })
}
