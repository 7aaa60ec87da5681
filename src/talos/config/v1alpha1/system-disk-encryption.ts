import { type ConfigObject, section } from '../config-value.js'
import type { Contract } from '../contract.js'
import type { DiskEncryption, TalosMachine } from '../talos-machine.js'

/** From contract 1.11 on, volume documents configure encryption. */
export function volumesSayEncryption(contract: Contract): boolean {
  return contract.minor >= 11
}

/** `machine.systemDiskEncryption` of contracts up to 1.10. */
export function systemDiskEncryption({ diskEncryption }: TalosMachine, contract: Contract): ConfigObject | undefined {
  if (diskEncryption === undefined || volumesSayEncryption(contract)) return undefined
  const { state, ephemeral } = diskEncryption
  if (!state && !ephemeral) return undefined
  const spec = encryptionSpec(diskEncryption)
  return section({ state: state ? spec : undefined, ephemeral: ephemeral ? spec : undefined })
}

/** LUKS2 with one key, derived from the node's identity or sealed in its TPM. */
export function encryptionSpec({ key }: DiskEncryption): ConfigObject {
  return { provider: 'luks2', keys: [{ slot: 0, ...(key === 'tpm' ? { tpm: {} } : { nodeID: {} }) }] }
}
