import { X509Certificate } from 'node:crypto'
import { mapLimit } from '../cluster/map-limit.js'
import type { Observed } from '../observe/observed.js'
import type { HostCertificate } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { ask } from './ask.js'
import type { ExaminedHost } from './examined.js'
import { readClock } from './read-clock.js'

const hostsAtOnce = 16
/** Proxmox reports whole seconds. */
const secondMs = 1000

/** Memory, clock, thin pools and certificates of every host that is online. */
export async function examineHosts(
  { proxmox: { hosts } }: Observed,
  { proxmox, clock }: World,
  signal: AbortSignal,
): Promise<ExaminedHost[]> {
  const online = hosts.filter((host) => host.online).map(({ name }) => name)
  return mapLimit(online, hostsAtOnce, async (name) => {
    const time = readClock(
      clock,
      secondMs,
      () => proxmox.hosts.time(name, signal),
      (now) => now,
    )
    const [status, reading, thinPools, certificates] = await Promise.all([
      ask(proxmox.hosts.status(name, signal), signal),
      ask(time, signal),
      ask(proxmox.hosts.thinPools(name, signal), signal),
      ask(proxmox.hosts.certificates(name, signal).then(expiries), signal),
    ])
    const hostClock = reading.seen ? { ...reading, value: reading.value.reading } : reading
    return { name, status, clock: hostClock, thinPools, certificates }
  })
}

function expiries(certificates: readonly HostCertificate[]) {
  return certificates.map(({ filename, pem }) => ({
    name: filename,
    expires: Date.parse(new X509Certificate(pem).validTo),
  }))
}
