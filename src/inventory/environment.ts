import { UsageError } from '../errors.js'
import type { Inventory } from './inventory.js'
import { proxmoxEndpoint } from './schema/values.js'
import type { SecretRef } from './secret-ref.js'

const endpointVariable = 'PROXMOX_VE_ENDPOINT'
const tokenVariable = 'PROXMOX_VE_API_TOKEN'

/** The inventory, with the Proxmox endpoint and token of the environment if the file has none. */
export function withEnvironment(inventory: Inventory, env: NodeJS.ProcessEnv): Inventory {
  const { proxmox } = inventory.settings
  const endpoints = proxmox.endpoints.length > 0 ? proxmox.endpoints : endpointsOf(env[endpointVariable])
  const reported = proxmox.token_secret === undefined ? tokenOf(env[tokenVariable]) : {}
  const token = (proxmox.token_id ?? reported.token_id) === reported.token_id ? reported : {}
  const settings = { ...inventory.settings, proxmox: { ...token, ...proxmox, endpoints } }
  return { ...inventory, settings, written: inventory.settings }
}

/** One endpoint, or several with commas in between. */
export function splitEndpoints(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((part) => part !== '')
}

function endpointsOf(text: string | undefined): string[] {
  return splitEndpoints(text).map(endpointOf)
}

function endpointOf(text: string): string {
  const parsed = proxmoxEndpoint.safeParse(text)
  if (parsed.success) return parsed.data
  throw new UsageError(`${JSON.stringify(text)} is not the https address of a Proxmox host.`, {
    where: `environment variable ${endpointVariable}`,
    fix: `Set ${endpointVariable} to an address such as https://pve1.example.com:8006, or unset it.`,
  })
}

/** `user@realm!name=secret`: the part before `=` is not secret. */
function tokenOf(text: string | undefined): { token_id?: string; token_secret?: SecretRef } {
  if (text === undefined || text === '') return {}
  const [, id] = /^([^@!\s]+@[^@!\s]+![^@!\s=]+)=\S+$/.exec(text) ?? []
  if (id !== undefined) return { token_id: id, token_secret: { kind: 'env', name: tokenVariable } }
  throw new UsageError(`The API token in ${tokenVariable} has not the form user@realm!name=secret.`, {
    where: `environment variable ${tokenVariable}`,
    fix: `Set ${tokenVariable} to the id of the token, an equals sign, and its secret, or unset it.`,
  })
}
