import type { Machine } from '../../cluster/machine.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { endpointOf } from '../../desired/endpoint.js'
import { talosMachine } from '../../desired/talos-machine.js'
import { UserFacingError } from '../../errors.js'
import { withNetwork } from '../../inventory/inventory.js'
import type { ClusterMemory, SecretsBundle } from '../../secrets/bundle.js'
import { renderConfig } from '../../talos/config/render.js'

const nothing = { crt: 'LQ==', key: 'LQ==' }
/** No check depends on the secrets in a config. */
const placeholderBundle: SecretsBundle = {
  cluster: { id: '-', secret: '-' },
  secrets: { bootstraptoken: '-', secretboxencryptionsecret: '-' },
  trustdinfo: { token: '-' },
  certs: { etcd: nothing, k8s: nothing, k8saggregator: nothing, k8sserviceaccount: { key: nothing.key }, os: nothing },
}
const placeholderEndpoint = 'https://192.0.2.1:6443'

/** Renders configs with placeholders for secrets: errors that would stop a run half-way are found before it starts. */
export function configErrors(
  spec: Omit<ClusterSpec, 'secrets'>,
  memory: ClusterMemory = { bootstrapped: false, values: {} },
): UserFacingError[] {
  const inventory = withNetwork(spec.inventory, { prefix: 24 })
  const endpoint = endpointOf(inventory) ?? placeholderEndpoint
  const complete = { ...spec, inventory, secrets: { bundle: placeholderBundle, memory } }
  const found = new Map<string, UserFacingError>()
  for (const machine of distinctMachines(inventory.machines, spec)) {
    try {
      renderConfig(talosMachine(machine, endpoint, complete), placeholderBundle)
    } catch (thrown) {
      if (!(thrown instanceof UserFacingError)) throw thrown
      found.set(`${thrown.where} ${thrown.message}`, thrown)
    }
  }
  return [...found.values()]
}

/** One machine of each pool, and every machine with its own patches or size: the others render the same. */
function distinctMachines(machines: readonly Machine[], { patches }: Pick<ClusterSpec, 'patches'>): Machine[] {
  const seen = new Set<string>()
  return machines.filter(({ name, pool, disks, nics, labels }) => {
    const own = (patches.nodes[name] ?? []).length > 0 ? name : ''
    const key = JSON.stringify([pool, own, disks, nics.length, labels])
    return !seen.has(key) && seen.add(key)
  })
}
