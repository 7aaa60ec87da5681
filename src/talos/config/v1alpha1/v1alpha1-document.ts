import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { ConfigObject } from '../config-value.js'
import type { Contract } from '../contract.js'
import type { TalosMachine } from '../talos-machine.js'
import { clusterSection } from './cluster-section.js'
import { machineSection } from './machine-section.js'

/** The v1alpha1 document: everything up to contract 1.11, and all but network and registries up to 1.13. */
export function v1alpha1Document(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject {
  return {
    version: 'v1alpha1',
    debug: false,
    persist: true,
    machine: machineSection(machine, contract, bundle),
    cluster: clusterSection(machine, contract, bundle),
  }
}
