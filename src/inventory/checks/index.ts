import { checkAddons } from './addons.js'
import { checkAddresses } from './addresses.js'
import type { Check } from './check.js'
import { checkCombinations } from './combinations.js'
import { checkCounts } from './counts.js'
import { checkHosts } from './hosts.js'
import { checkIdentities } from './identities.js'
import { checkNames } from './names.js'
import { checkNetworks } from './networks.js'
import { checkPlainHttp } from './plain-http.js'
import { checkSizes } from './sizes.js'
import { checkVersions } from './versions.js'

/** All checks that the schema cannot express. */
export const checks: readonly Check[] = [
  checkVersions,
  checkCounts,
  checkNames,
  checkSizes,
  checkNetworks,
  checkAddresses,
  checkIdentities,
  checkHosts,
  checkCombinations,
  checkAddons,
  checkPlainHttp,
]
