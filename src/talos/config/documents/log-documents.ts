import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** Where the kernel's messages go; those of services go there by `machine.logging`. */
export function kernelLogDocuments({ logDestinations }: TalosMachine): ConfigObject[] {
  return logDestinations.map((url, index) => newDocument('KmsgLogConfig', { name: `kernel-${index + 1}`, url }))
}
