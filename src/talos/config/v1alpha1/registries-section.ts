import { type ConfigObject, mapUnlessEmpty, section } from '../config-value.js'
import type { Contract } from '../contract.js'
import type { Registry, TalosMachine } from '../talos-machine.js'

/** `machine.registries` of v1alpha1. */
export function registriesSection({ registries }: TalosMachine, contract: Contract): ConfigObject | undefined {
  const mirrored = registries.filter(({ mirrors }) => mirrors.length > 0)
  const mirrors = mapUnlessEmpty(
    Object.fromEntries(mirrored.map((registry) => [registry.host, mirror(registry, contract)])),
  )
  const config = mapUnlessEmpty(
    Object.fromEntries(registries.filter(hasAccess).map((registry) => [registry.host, access(registry)])),
  )
  return mirrors === undefined && config === undefined ? undefined : section({ mirrors, config })
}

/** Talos 1.8 cannot disable the fallback, but it tries the mirrors first. */
function mirror({ mirrors, skipFallback }: Registry, contract: Contract): ConfigObject {
  return section({ endpoints: mirrors, skipFallback: skipFallback && contract.minor >= 9 ? true : undefined })
}

function hasAccess({ ca, insecure, auth }: Registry): boolean {
  return ca !== undefined || insecure || auth !== undefined
}

function access({ ca, insecure, auth }: Registry): ConfigObject {
  const tls = section({
    ca: ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    insecureSkipVerify: insecure ? true : undefined,
  })
  return section({ tls: Object.keys(tls).length === 0 ? undefined : tls, auth: auth && { ...auth } })
}
