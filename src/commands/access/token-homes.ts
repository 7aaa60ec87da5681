import type { TokenHome } from '../../access/index.js'
import { contractOf } from '../../desired/talos-machine.js'
import { resolveFile } from '../../inventory/referenced-files.js'
import { resolveSecretRef } from '../../inventory/resolve-secret.js'
import type { SecretRef } from '../../inventory/secret-ref.js'
import { olderControllerToken } from '../../operations/older-controller-token.js'
import type { Session } from '../../operations/session.js'
import { findLiveHolder } from '../../ownership/index.js'
import { formatToken, parseToken } from '../../proxmox/model/api-token.js'
import { readVaultValue, writeVaultValue } from '../../secrets/vault/vault-value.js'
import type { Context } from '../frame/context.js'
import { refuseOtherFile, writeTokenFile } from './token-file.js'

/** The token for runs is stored where the inventory expects it. In a lab only the lab's secrets are written. */
export function runTokenHome(opened: Session, context: Context): TokenHome {
  const { inventory, world } = opened
  const { token_id: id, token_secret: ref } = inventory.settings.proxmox
  const write = ref === undefined ? undefined : writerOf(ref, opened, context)
  return {
    location: ref === undefined ? 'PROXMOX_VE_API_TOKEN' : locationOf(ref),
    find: async () => {
      if (ref === undefined) return undefined
      if (ref.kind === 'file')
        await refuseOtherFile(resolveFile(inventory.folder, ref.path), inventory.where('proxmox'))
      const values = await valuesIn(opened)
      const readVault = (reference: string) => readVaultValue(reference, context.env)
      const sources = { env: context.env, folder: inventory.folder, values, readVault, use: 'proxmox-token' as const }
      // A missing secret is created.
      const text = await resolveSecretRef(ref, sources).catch(() => undefined)
      return text === undefined ? undefined : parseToken(text, id)
    },
    ...(write === undefined ? {} : { keep: (token) => write(formatToken(token)) }),
    olderInUse: async () => {
      const holder = await findLiveHolder(
        await world.proxmox.pools.list(context.signal),
        inventory.settings.proxmox.pool,
      )
      return holder === undefined
        ? undefined
        : `a run on ${holder.host} may be using it; ichor access removes it once that is over`
    },
  }
}

/** The token of an addon's controller is stored in the cluster secrets, and from the next `up` on in the cluster. */
export function controllerTokenHome(addon: string, opened: Session, context: Context): TokenHome {
  const names = { id: `${addon}.token_id`, secret: `${addon}.token_secret` }
  return {
    location: `${names.secret} in ${opened.world.secrets.location}`,
    find: async () => {
      const values = await valuesIn(opened)
      const [id, secret] = [values[names.id], values[names.secret]]
      return id === undefined || secret === undefined ? undefined : { id, secret }
    },
    keep: ({ id, secret }) => keepValues({ [names.id]: id, [names.secret]: secret }, opened),
    olderInUse: () => olderControllerToken(addon, opened, context.signal),
  }
}

/** Creates the cluster secrets if there are none. */
export async function keepValues(
  values: Readonly<Record<string, string>>,
  { world: { secrets }, inventory }: Session,
): Promise<void> {
  if ((await secrets.find()) === undefined) await secrets.make(contractOf({ inventory, secrets: undefined }))
  await secrets.remember({ values })
}

async function valuesIn({ world }: Session): Promise<Readonly<Record<string, string>>> {
  return (await world.secrets.find())?.memory.values ?? {}
}

function writerOf(ref: SecretRef, opened: Session, { env }: Context): ((text: string) => Promise<void>) | undefined {
  if (ref.kind === 'secret') return (text) => keepValues({ [ref.name]: text }, opened)
  if (opened.lab !== undefined) return undefined
  if (ref.kind === 'vault') return (text) => writeVaultValue(ref.reference, text, env)
  if (ref.kind === 'file') {
    return (text) => writeTokenFile(resolveFile(opened.inventory.folder, ref.path), text)
  }
  return undefined
}

function locationOf(ref: SecretRef): string {
  if (ref.kind === 'env') return ref.name
  if (ref.kind === 'file') return ref.path
  if (ref.kind === 'vault') return ref.reference
  return ref.kind === 'secret' ? `secret:${ref.name}` : 'proxmox.token_secret'
}
