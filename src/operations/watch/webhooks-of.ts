import { createHash } from 'node:crypto'
import { isLoopback } from '../../cluster/plain-http.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { SecretRef } from '../../inventory/secret-ref.js'
import { revealForOthers } from '../../trust/reveal-for-others.js'
import type { Webhook } from '../../watch/deliver.js'

export interface WatchSecrets {
  readonly env: NodeJS.ProcessEnv
  /** Of the secrets file, by name. */
  readonly values: Readonly<Record<string, string>>
  readonly isLab: boolean
}

/** The webhooks of an inventory with their secrets. A lab notifies only this computer. */
export async function webhooksOf(inventory: Inventory, secrets: WatchSecrets): Promise<Webhook[]> {
  const { webhooks } = inventory.settings.observability
  const found = await Promise.all(
    webhooks.map(async ({ url: ref, kind, secret, on }): Promise<Webhook> => {
      const url = await secretOf(ref, inventory, secrets)
      const key = secret === undefined ? undefined : await secretOf(secret, inventory, secrets)
      const name = `${kind} ${createHash('sha256').update(url).digest('hex').slice(0, 12)}`
      return { name, url, kind, on, ...(key === undefined ? {} : { key }) }
    }),
  )
  return secrets.isLab ? found.filter(({ url }) => URL.canParse(url) && isLoopback(new URL(url).hostname)) : found
}

/** A secret that `watch` uses. */
export function secretOf(
  ref: SecretRef,
  inventory: Pick<Inventory, 'settings' | 'folder'>,
  { env, values }: WatchSecrets,
): Promise<string> {
  return revealForOthers(ref, 'watch', inventory, { env, values })
}
