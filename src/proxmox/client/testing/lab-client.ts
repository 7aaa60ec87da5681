import { createDirectDialer } from '../../../reach/direct.js'
import { connectProxmox, type ProxmoxOptions } from '../connect.js'
import type { ProxmoxPort } from '../port.js'
import { hastyClock } from './tiny-server.js'

/** How to connect to a lab. */
interface LabDoor {
  readonly endpoint: string
  readonly tokenId: string
  readonly tokenSecret: string
  readonly fingerprint: string
}

/** Our client connected to a lab, with its root token by default. */
export function connectLab({ sim }: { sim: LabDoor }, options: Partial<ProxmoxOptions> = {}): ProxmoxPort {
  return connectProxmox({
    endpoints: [sim.endpoint],
    auth: { kind: 'token', id: sim.tokenId, secret: sim.tokenSecret },
    trust: { kind: 'fingerprint', sha256: sim.fingerprint },
    dialer: createDirectDialer(),
    clock: hastyClock,
    ...options,
  })
}
