import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import { SecretsError } from '../../secrets/secrets-error.js'
import type { SecretsPort } from '../../world.js'
import { loadSpec } from './load-spec.js'

/** A spec with secrets, from which machine configs can be rendered. */
export interface CompleteSpec extends Omit<ClusterSpec, 'secrets'> {
  readonly secrets: SecretsFile
}

/** Needs no Proxmox. */
export async function completeSpec(
  inventory: Inventory,
  store: Pick<SecretsPort, 'find' | 'location'>,
  options: { readonly isLab: boolean; readonly env: NodeJS.ProcessEnv },
): Promise<CompleteSpec> {
  const secrets = await store.find()
  if (secrets !== undefined) {
    // The rendered files stay on this computer.
    const world = { secrets: { find: async () => secrets, settleAddon: async () => {} } }
    return { ...(await loadSpec(inventory, { ...options, world })), secrets }
  }
  throw new SecretsError('The cluster has no secrets yet, but machine configs need them. Nothing was written.', {
    where: store.location,
    fix: 'Run ichor secrets init, or ichor up.',
  })
}
