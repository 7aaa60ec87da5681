import { randomBytes } from 'node:crypto'
import type { KeyMaterial, RotationTarget } from '../../cluster/rotation.js'
import { fixedKey } from '../../findings/refusals/secrets.js'
import type { Inventory } from '../../inventory/inventory.js'
import { createCa } from '../../pki/ca.js'
import { generatePrivateKey, privateKeyPem } from '../../pki/private-key.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import type { WantedChange } from './wanted-change.js'

/** The spec in which this key is replaced. The first step records the intent in the secrets. */
export async function rotatedSpec(
  what: RotationTarget,
  inventory: Inventory,
  { run, ...options }: SpecOptions & { readonly run: string },
): Promise<WantedChange> {
  await refuseOldCipher(what, options.world)
  const rotating = { what, run, fresh: await freshKey(what) }
  return { spec: await loadSpec(inventory, { ...options, intent: { rotating } }), write: async () => {} }
}

/**
 * Created now, so that the plan shows what will be done; the first step stores it, unless a rotation is in progress.
 * @internal
 */
export async function freshKey(what: RotationTarget): Promise<KeyMaterial> {
  if (what === 'etcd-encryption-key') return { key: randomBytes(32).toString('base64') }
  if (what === 'service-account-key') return { key: toBase64(privateKeyPem(await generatePrivateKey('rsa4096'))) }
  const { crt, key } = await createCa(what === 'talos-ca' ? 'os' : 'k8s')
  return { crt: toBase64(crt), key: toBase64(key) }
}

/** Clusters from before Talos 1.3 use another cipher. */
async function refuseOldCipher(what: RotationTarget, { secrets }: SpecOptions['world']): Promise<void> {
  const file = await secrets.find()
  if (what !== 'etcd-encryption-key' || file?.bundle.secrets.aescbcencryptionsecret === undefined) return
  throw fixedKey.refuse(
    'The Secrets of this cluster are encrypted with AES-CBC, and ichor rotates keys of secretbox only.',
    {
      subject: { kind: 'cluster', name: 'etcd' },
      where: 'secrets.aescbcencryptionsecret in the secrets of the cluster',
      fix: 'Keep the key: replacing it would make the Secrets that are in etcd unreadable.',
    },
  )
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
