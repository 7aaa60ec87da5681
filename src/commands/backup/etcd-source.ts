import type { SecretsBundle } from '../../secrets/bundle.js'
import { connectTalos } from '../../talos/api/connect.js'
import type { TalosPort } from '../../talos/api/port.js'
import { clientCertificate } from '../../talos/clientconfig/client-certificate.js'
import type { World } from '../../world.js'

/** The Talos API with only the rights that a backup needs. */
export function connectForBackup({ dialer, clock }: World, bundle: SecretsBundle): TalosPort {
  const options = { roles: ['os:etcd:backup'], lifetimeHours: 24, now: new Date() } as const
  return connectTalos({ dialer, clock, credentials: () => clientCertificate(bundle, options) })
}
