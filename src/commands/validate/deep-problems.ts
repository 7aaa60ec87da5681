import { newestTalosMinor, oldestTalosMinor } from '../../cluster/version.js'
import { PlanRefused, UserFacingError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { loadPatches } from '../../inventory/patches.js'
import type { Problem } from '../../inventory/problem.js'
import { configErrors } from '../../operations/spec/config-errors.js'
import { factsOf, place } from '../../placement/index.js'
import type { ClusterMemory } from '../../secrets/bundle.js'

/** Problems that appear only when machines are placed and configs rendered. Proxmox is not contacted. */
export async function deepProblems(inventory: Inventory, findSecrets: FindSecrets): Promise<Problem[]> {
  return [...capacityProblems(inventory), ...(await configProblems(inventory, findSecrets))]
}

type FindSecrets = () => Promise<{ readonly memory: ClusterMemory } | undefined>

/** Without `pve_capacity` only Proxmox knows the capacity. */
function capacityProblems(inventory: Inventory): Problem[] {
  if (inventory.settings.pve_capacity === undefined) return []
  try {
    place(inventory, factsOf(inventory))
    return []
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return [problemFrom(thrown)]
    throw thrown
  }
}

async function configProblems(inventory: Inventory, findSecrets: FindSecrets): Promise<Problem[]> {
  try {
    const patches = await loadPatches(inventory)
    const spec = { inventory, patches, addons: [], until: 'healthy', intent: {}, mayEnableContent: false } as const
    const [first = [], ...others] = (await memoriesOf(findSecrets)).map((memory) => configErrors(spec, memory))
    return first.filter((error) => others.every((errors) => errors.some(sameAs(error)))).map(problemFrom)
  } catch (thrown) {
    if (thrown instanceof UserFacingError) return [problemFrom(thrown)]
    throw thrown
  }
}

/**
 * The stored state of the cluster. If it cannot be decrypted, the contract is unknown: then only problems in every
 * contract count.
 */
async function memoriesOf(findSecrets: FindSecrets): Promise<(ClusterMemory | undefined)[]> {
  try {
    return [(await findSecrets())?.memory]
  } catch {
    const minors = Array.from({ length: newestTalosMinor - oldestTalosMinor + 1 }, (_, step) => newestTalosMinor - step)
    return minors.map((minor) => ({ bootstrapped: true, values: {}, contract: `v1.${minor}` }))
  }
}

function sameAs(error: UserFacingError): (other: UserFacingError) => boolean {
  return ({ message, where }) => message === error.message && where === error.where
}

/** `cluster.yaml:7:9  (proxmox.node)`, or `patches/x.yaml:12`. */
const placeForm = /^(?<file>[^\s:]+)(?::(?<line>\d+))?(?::(?<column>\d+))?(?:\s+\((?<path>[^)]*)\))?/

function problemFrom({ message, where, fix }: UserFacingError): Problem {
  const { file = where, line = '1', column = '1', path = '' } = placeForm.exec(where)?.groups ?? {}
  return { severity: 'error', file, line: Number(line), column: Number(column), path, message, fix, excerpt: '' }
}
