import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** The destination of kernel messages; `machine.logging` configures that of services. */
export function kernelLogDocuments({ logDestinations }: TalosMachine): ConfigObject[] {
  return logDestinations.map((url, index) => newDocument('KmsgLogConfig', { name: `kernel-${index + 1}`, url }))
}
