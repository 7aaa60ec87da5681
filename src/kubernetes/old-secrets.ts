import { fieldsOf, textOf } from './answer.js'
import type { KubernetesObject } from './port.js'

/** The highest resource version among these: everything written later has a higher one. */
export function newestVersion(secrets: readonly KubernetesObject[]): string {
  const versions = secrets.map(versionOf).toSorted((one, other) => (one < other ? -1 : Number(one > other)))
  return String(versions.at(-1) ?? 0n)
}

/** Secrets that have not been written since then. */
export function notWrittenSince(secrets: readonly KubernetesObject[], version: string): KubernetesObject[] {
  return secrets.filter((secret) => versionOf(secret) <= BigInt(version))
}

/** Service account tokens stored in Secrets, where nothing replaces them. */
export function keptTokens(secrets: readonly KubernetesObject[]): { readonly name: string; readonly token: string }[] {
  return secrets
    .filter(({ type }) => type === 'kubernetes.io/service-account-token')
    .map(({ metadata, data }) => ({
      name: `${metadata.namespace}/${metadata.name}`,
      token: Buffer.from(textOf(fieldsOf(data).token), 'base64').toString(),
    }))
}

/** Kubernetes guarantees that resource versions of one kind are increasing numbers. */
function versionOf({ metadata: { resourceVersion = '0' } }: KubernetesObject): bigint {
  return /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n
}
