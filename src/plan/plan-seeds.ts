import type { Observed } from '../observe/observed.js'
import { nodeOfSeed } from '../steps/seed.js'
import type { Draft } from './draft.js'

/**
 * Config ISOs of this cluster that no step about a machine takes away, because theirs was deleted or moved by somebody else.
 * Gives the steps that delete them.
 */
export function planForgottenSeeds(draft: Draft, observed: Observed): string[] {
  const { cluster } = draft.desired
  if (cluster.id === undefined) return []
  const hosts = hostsThatCleanUp(draft, observed)
  const away = new Set(draft.desired.away.map(({ machine }) => machine.name))
  return observed.proxmox.volumes.flatMap(({ host, volid }) => {
    const node = nodeOfSeed(volid, cluster.id ?? '')
    if (node === undefined || away.has(node) || canSee(hosts.get(node), { host, volid }, observed)) return []
    return [
      draft.add(
        'remove-seed',
        { host, volume: volid },
        `it holds the keys of the cluster, and ${node} does not need it`,
      ),
    ]
  })
}

/** Hosts from which the seeds of a machine are looked for anyway: when it is finished, or when it is deleted. */
function hostsThatCleanUp({ desired, has }: Draft, { machines }: Observed): Map<string, string> {
  const wanted = new Set(desired.machines.map(({ machine }) => machine.name))
  const seen = new Set(machines.map(({ name }) => name))
  const missing = desired.machines.filter(({ machine }) => !seen.has(machine.name))
  const unfinished = machines.filter(
    ({ name, mark }) => !wanted.has(name) || mark.stage === 'making' || has(`fill-machine:${name}`),
  )
  return new Map([
    ...missing.map(({ machine, host }): [string, string] => [machine.name, host]),
    ...unfinished.map(({ name, host }): [string, string] => [name, host]),
  ])
}

function canSee(from: string | undefined, seed: { host: string; volid: string }, { proxmox }: Observed): boolean {
  const name = seed.volid.split(':')[0]
  return (
    from === seed.host ||
    proxmox.storages.some(({ host, storage, shared }) => host === from && storage === name && shared)
  )
}
