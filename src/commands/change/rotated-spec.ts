import type { KeyMaterial, RotationTarget } from '../../cluster/rotation.js'
import type { Inventory } from '../../inventory/inventory.js'
import { createCa } from '../../pki/ca.js'
import { loadSpec, type SpecOptions } from '../../spec/load-spec.js'
import type { WantedChange } from './carry-out.js'

/** The spec in which this key is replaced. The intent is written into the secrets by the first step. */
export async function rotatedSpec(
  what: RotationTarget,
  inventory: Inventory,
  { run, ...options }: SpecOptions & { readonly run: string },
): Promise<WantedChange> {
  const rotating = { what, run, fresh: await freshKey(what) }
  return { spec: await loadSpec(inventory, { ...options, rotating }), write: async () => {} }
}

/** Made now, so that the plan shows what will be done; the first step keeps it, unless a rotation is under way. */
async function freshKey(what: RotationTarget): Promise<KeyMaterial> {
  const { crt, key } = await createCa(what === 'talos-ca' ? 'os' : 'k8s')
  return { crt: toBase64(crt), key: toBase64(key) }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
