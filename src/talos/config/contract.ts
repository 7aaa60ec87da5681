import { newestTalosMinor, oldestTalosMinor } from '../../cluster/version.js'
import { ConfigError } from './config-error.js'

/** The version contract of a config: the Talos minor version (of major 1) that it is written for. */
export interface Contract {
  readonly minor: number
}

export interface ChosenContract {
  readonly contract: Contract
  /** Set if the wanted contract is newer than the newest known one. */
  readonly note?: string
}

/** The contract for `v1.13`, `1.13` or `v1.13.9`. A newer contract becomes the newest known one, with a note. */
export function chooseContract(text: string): ChosenContract {
  const match = /^v?(\d+)\.(\d+)(?:\.\d+(?:-[0-9A-Za-z.-]+)?)?$/.exec(text)
  const minor = Number(match?.[2])
  if (match === null || match[1] !== '1' || minor < oldestTalosMinor) throw unknownContract(text)
  if (minor <= newestTalosMinor) return { contract: { minor } }
  return {
    contract: { minor: newestTalosMinor },
    note: `Talos v1.${minor} is newer than this ichor supports; its configs are written for v1.${newestTalosMinor}.`,
  }
}

/** The name of a contract, as it is stored: `v1.13`. */
export function contractName(contract: Contract): string {
  return `v1.${contract.minor}`
}

/** Network, hostname, registries and time moved from v1alpha1 into separate documents. */
export function hasNetworkDocuments(contract: Contract): boolean {
  return contract.minor >= 12
}

/** Nearly everything moved out of v1alpha1. */
export function hasSplitDocuments(contract: Contract): boolean {
  return contract.minor >= 14
}

function unknownContract(text: string): ConfigError {
  return new ConfigError(`"${text}" is not a Talos version whose configs can be written.`, {
    where: 'talos.contract',
    fix: `Choose one from v1.${oldestTalosMinor} to v1.${newestTalosMinor}, such as v1.${newestTalosMinor}.`,
  })
}
