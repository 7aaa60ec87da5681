import { durations } from '../machine/durations.js'
import type { TalosMachine } from '../machine/machine.js'
import { type Authority, type Issued, issueCertificate, makeAuthority } from '../pki/issue-certificate.js'

const day = 24 * 60 * 60_000
/** In real time: certificates are valid for a day and renewed at half of it. */
export const renewalMs = day / 2

/** The API's certificate in this mode; the previous one while it is valid. */
export async function serverCertificate(machine: TalosMachine, mode: 'maintenance' | 'secured'): Promise<Issued> {
  const sans = sansOf(machine)
  const covers = JSON.stringify([mode, machine.facts?.osCa.crt, sans, machine.certificateIsExpired])
  const known = machine.certificate
  const isFresh = known !== undefined && (known.expiresAt > Date.now() + renewalMs / 2 || machine.certificateIsExpired)
  if (isFresh && known.covers === covers) return known
  const notAfter = new Date(Date.now() + (machine.certificateIsExpired ? -60_000 : day))
  const notBefore = new Date(notAfter.getTime() - day - 60_000)
  const issuer = mode === 'maintenance' ? makeAuthority(notBefore, notAfter) : await untilAuthority(machine)
  const commonName = mode === 'maintenance' ? 'maintenance-service.talos.dev' : machine.hostname
  const issued = issueCertificate(issuer, { commonName, usage: 'server', sans, notBefore, notAfter })
  machine.certificate = { ...issued, issuer: issuer.crt, covers, expiresAt: notAfter.getTime() }
  return issued
}

/**
 * Control planes sign their own certificates; a worker requests one from the trustd of any control plane, with its
 * token.
 */
async function untilAuthority(machine: TalosMachine): Promise<Authority> {
  const { boot } = machine
  for (;;) {
    const own = machine.facts?.osCa
    if (own !== undefined && own.key !== '') return own
    const issuer = [...machine.fleet.machines].find((other) => signsFor(other, machine))?.facts?.osCa
    if (issuer !== undefined) return issuer
    await boot.wait(durations.retry)
  }
}

function signsFor(other: TalosMachine, worker: TalosMachine): boolean {
  const theirs = other.facts
  const ours = worker.facts
  if (theirs === undefined || ours === undefined || theirs.osCa.key === '') return false
  if (other.isHung || !other.services.isHealthy('trustd')) return false
  return theirs.token === ours.token && [ours.osCa.crt, ...ours.acceptedOsCas].includes(theirs.osCa.crt)
}

/** The machine's loopback addresses are included, for clients that dial them directly. */
function sansOf({ addresses, hostname, facts, vips, fleet }: TalosMachine): string[] {
  const own = [...addresses, ...vips]
  const loopbacks = own.map((address) => fleet.network.loopbackOf(address))
  return [...new Set([...own, ...loopbacks, '127.0.0.1', '::1', hostname, ...(facts?.certSans ?? [])])]
}
