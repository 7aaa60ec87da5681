import { newestTalosMinor, oldestTalosMinor } from '../../cluster/version.js'
import { ConfigError } from './config-error.js'

/** The style of a config: the Talos minor (of major 1) for which it is written. */
export interface Contract {
  readonly minor: number
}

export interface ChosenContract {
  readonly contract: Contract
  /** Said when the wanted contract is newer than the newest we know. */
  readonly note?: string
}

/** The contract behind `v1.13`, `1.13` or `v1.13.9`. A newer one than we know becomes the newest known, and the note says so. */
export function chooseContract(text: string): ChosenContract {
  const match = /^v?(\d+)\.(\d+)(?:\.\d+(?:-[0-9A-Za-z.-]+)?)?$/.exec(text)
  const minor = Number(match?.[2])
  if (match === null || match[1] !== '1' || minor < oldestTalosMinor) throw unknownContract(text)
  if (minor <= newestTalosMinor) return { contract: { minor } }
  return {
    contract: { minor: newestTalosMinor },
    note: `Talos v1.${minor} is newer than this ichor knows; its configs are written in the style of v1.${newestTalosMinor}.`,
  }
}

/** The name of a contract, as it is remembered: `v1.13`. */
export function contractName(contract: Contract): string {
  return `v1.${contract.minor}`
}

/** Network, hostname, registries and time moved out of v1alpha1 into documents of their own. */
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
