import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { ConfigObject } from '../config-value.js'
import type { Contract } from '../contract.js'
import { hostnameDocument } from '../documents/hostname-document.js'
import { linkDocuments } from '../documents/link-documents.js'
import { registryDocuments } from '../documents/registry-documents.js'
import { timeDocuments } from '../documents/resolver-and-time.js'
import { systemVolumeDocuments, userVolumeDocuments } from '../documents/volume-documents.js'
import type { TalosMachine } from '../talos-machine.js'
import { controlPlaneDocuments } from './control-plane-documents.js'
import { nodeDocuments } from './node-documents.js'
import { remainingV1alpha1 } from './remaining-v1alpha1.js'
import { systemDocuments } from './system-documents.js'

/** A config for 1.14: one document per subject, and little left in v1alpha1. */
export function splitConfig(machine: TalosMachine, contract: Contract, bundle: SecretsBundle): ConfigObject[] {
  return [
    remainingV1alpha1(machine, bundle),
    ...systemDocuments(machine, bundle),
    ...systemVolumeDocuments(machine, contract),
    ...userVolumeDocuments(machine, contract),
    ...registryDocuments(machine),
    hostnameDocument(machine),
    ...linkDocuments(machine),
    ...timeDocuments(machine),
    ...nodeDocuments(machine, bundle),
    ...(machine.role === 'controlplane' ? controlPlaneDocuments(machine, bundle) : []),
  ]
}
