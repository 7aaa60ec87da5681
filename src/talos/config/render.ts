import { newestTalosMinor, parseVersion } from '../../cluster/version.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import type { ConfigObject } from './config-value.js'
import { refuseConflicts } from './conflicts.js'
import { type Contract, chooseContract, hasNetworkDocuments, hasSplitDocuments } from './contract.js'
import { firewallDocuments } from './documents/firewall-documents.js'
import { hostnameDocument } from './documents/hostname-document.js'
import { linkDocuments } from './documents/link-documents.js'
import { kernelLogDocuments } from './documents/log-documents.js'
import { registryDocuments } from './documents/registry-documents.js'
import { resolverDocuments, timeDocuments } from './documents/resolver-and-time.js'
import { systemVolumeDocuments, userVolumeDocuments } from './documents/volume-documents.js'
import { refuseImpossible } from './impossible-specs.js'
import { applyPatches } from './patch/apply-patches.js'
import { type Schema, schemaOf } from './patch/schema.js'
import { patchVariables, substituteVariables } from './patch/variables.js'
import { splitConfig } from './split/split-config.js'
import type { TalosMachine } from './talos-machine.js'
import { v1alpha1Document } from './v1alpha1/v1alpha1-document.js'
import { toYamlStream } from './yaml-text.js'

/** The machine config of one node with patches applied: the same spec and secrets give the same bytes. */
export function renderConfig(machine: TalosMachine, bundle: SecretsBundle): string {
  const { contract } = chooseContract(machine.contract)
  refuseImpossible(machine)
  const documents = configDocuments(machine, contract, bundle)
  if (machine.patches.length === 0) return toYamlStream(documents)
  const variables = patchVariables(machine)
  const patches = machine.patches.map((patch) => substituteVariables(patch, variables))
  const patched = applyPatches(documents, patches, readersSchema(machine, contract))
  refuseConflicts(patched, patches)
  return toYamlStream(patched)
}

/** What the Talos that reads the config supports: any version from the contract's on, unless its version is given. */
function readersSchema({ talosVersion }: TalosMachine, contract: Contract): Schema {
  const version = talosVersion === undefined ? undefined : parseVersion(talosVersion)
  return version === undefined ? schemaOf(contract.minor, newestTalosMinor) : schemaOf(version.minor, version.minor)
}

/** The documents of a config in Talos's order, before patches. */
function configDocuments(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject[] {
  const documents = hasSplitDocuments(contract)
    ? splitConfig(machine, contract, bundle)
    : classicConfig(machine, contract, bundle)
  return [...documents, ...kernelLogDocuments(machine), ...firewallDocuments(machine)]
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
