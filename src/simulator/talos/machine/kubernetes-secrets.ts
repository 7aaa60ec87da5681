import { createHash } from 'node:crypto'
import type { ConfigFacts } from '../config/config-facts.js'
import { isMapping, type Mapping } from '../config/documents.js'
import { mappingsOf, textOr } from '../config/read-values.js'
import type { TalosMachine } from './machine.js'

/** What Talos writes for the static pods: they restart when it changes. */
export function secretsOf({
  kubernetesCa,
  acceptedKubernetesCas,
  serviceAccount,
  etcdEncryption,
}: ConfigFacts): unknown {
  return [kubernetesCa, acceptedKubernetesCas, serviceAccount, etcdEncryption]
}

const known = new WeakMap<TalosMachine, { secrets: string; version: number; facts: ConfigFacts }>()

/** Increases with every change of the static pods' input. */
export function secretsVersion(machine: TalosMachine): string {
  const { facts } = machine
  const before = known.get(machine)
  if (facts === undefined || before?.facts === facts) return String(before?.version ?? 1)
  const secrets = JSON.stringify(secretsOf(facts))
  const version = (before?.version ?? 0) + (before?.secrets === secrets ? 0 : 1)
  known.set(machine, { secrets, version, facts })
  return String(version)
}

/** The keys of Secrets in the order in which an API server tries them, each by name and hash. */
export function encryptionKeys(encryption: Mapping | undefined): string[] {
  const rule = mappingsOf(encryption?.resources).find(
    ({ resources }) => Array.isArray(resources) && resources.includes('secrets'),
  )
  return mappingsOf(rule?.providers).flatMap((provider) =>
    Object.entries(provider).flatMap(([cipher, options]) =>
      mappingsOf(isMapping(options) ? options.keys : undefined).map(
        ({ name, secret }) => `k8s:enc:${cipher}:v1:${textOr(name, '')}:${hashOf(textOr(secret, ''))}:`,
      ),
    ),
  )
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 16)
}
