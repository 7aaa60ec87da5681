import { createDirectDialer } from '../../reach/direct.js'
import { connectProxmox, type ProxmoxOptions } from '../connect.js'
import type { ProxmoxPort } from '../port.js'
import { hastyClock } from './tiny-server.js'

const mostTries = 10

/** Starts a lab; where another process holds the loopback addresses that it drew, it draws others. */
export async function drawAddresses<Lab>(start: () => Promise<Lab>): Promise<Lab> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (thrown) {
      const isTaken = thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'
      if (!isTaken || tries === mostTries) throw thrown
    }
  }
}

/** How a lab is entered. */
interface LabDoor {
  readonly endpoint: string
  readonly tokenId: string
  readonly tokenSecret: string
  readonly fingerprint: string
}

/** Our client of a lab, as its root token unless told otherwise. */
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
