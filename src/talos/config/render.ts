import type { SecretsBundle } from '../../secrets/bundle.js'
import type { ConfigObject } from './config-value.js'
import { type Contract, chooseContract, hasNetworkDocuments, hasSplitDocuments } from './contract.js'
import { firewallDocuments } from './documents/firewall-documents.js'
import { hostnameDocument } from './documents/hostname-document.js'
import { linkDocuments } from './documents/link-documents.js'
import { registryDocuments } from './documents/registry-documents.js'
import { resolverDocuments, timeDocuments } from './documents/resolver-and-time.js'
import { systemVolumeDocuments, userVolumeDocuments } from './documents/volume-documents.js'
import { splitConfig } from './split/split-config.js'
import type { TalosMachine } from './talos-machine.js'
import { v1alpha1Document } from './v1alpha1/v1alpha1-document.js'
import { toYamlStream } from './yaml-text.js'

/** The machine config of one node, patches applied: same wish and secrets, same bytes. */
export function renderConfig(machine: TalosMachine, bundle: SecretsBundle): string {
  const { contract } = chooseContract(machine.contract)
  return toYamlStream(configDocuments(machine, contract, bundle))
}

/** The documents of a config in Talos's order, before patches. */
export function configDocuments(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject[] {
  const documents = hasSplitDocuments(contract)
    ? splitConfig(machine, contract, bundle)
    : classicConfig(machine, contract, bundle)
  return [...documents, ...firewallDocuments(machine)]
}

function classicConfig(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject[] {
  return [
    v1alpha1Document(machine, contract, bundle),
    ...(hasNetworkDocuments(contract) ? networkDocuments(machine) : []),
    ...systemVolumeDocuments(machine, contract),
    ...userVolumeDocuments(machine, contract),
  ]
}

function networkDocuments(machine: TalosMachine): ConfigObject[] {
  return [
    ...registryDocuments(machine),
    hostnameDocument(machine),
    ...linkDocuments(machine),
    ...resolverDocuments(machine),
    ...timeDocuments(machine),
  ]
}
