import { ownProbe } from '../../../cluster/own-probe.js'
import type { ConfigObject } from '../config-value.js'
import { newDocument } from './new-document.js'

/** Connections that Talos (1.13 and later) tries repeatedly, and reports as ProbeStatuses. */
export function probeDocuments(endpoints: readonly string[]): ConfigObject[] {
  return [ownProbe, ...endpoints].map((endpoint, index) =>
    newDocument('TCPProbeConfig', {
      name: `ichor-${index}`,
      interval: '1s',
      failureThreshold: 3,
      endpoint,
      timeout: '3s',
    }),
  )
}
