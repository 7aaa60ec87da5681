import type { Inventory } from './inventory.js'
import { proxmoxEndpoint } from './schema/values.js'

/** The inventory, with the Proxmox endpoint and token id of the environment where the file is silent. */
export function withEnvironment(inventory: Inventory, env: NodeJS.ProcessEnv): Inventory {
  const { proxmox } = inventory.settings
  const endpoint = proxmoxEndpoint.safeParse(env.PROXMOX_VE_ENDPOINT)
  const endpoints = proxmox.endpoints.length === 0 && endpoint.success ? [endpoint.data] : proxmox.endpoints
  const tokenId = proxmox.token_id ?? tokenIdOf(env.PROXMOX_VE_API_TOKEN)
  const tokenSecret = proxmox.token_secret ?? (env.PROXMOX_VE_API_TOKEN === undefined ? undefined : environmentToken)
  return {
    ...inventory,
    settings: {
      ...inventory.settings,
      proxmox: {
        ...proxmox,
        endpoints,
        ...(tokenId === undefined ? {} : { token_id: tokenId }),
        ...(tokenSecret === undefined ? {} : { token_secret: tokenSecret }),
      },
    },
  }
}

/** `user@realm!name=secret`: what stands before the `=` is no secret. */
const environmentToken = { kind: 'env', name: 'PROXMOX_VE_API_TOKEN' } as const

function tokenIdOf(token: string | undefined): string | undefined {
  return token?.includes('=') ? token.slice(0, token.indexOf('=')) : undefined
}
