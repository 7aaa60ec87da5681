import { fieldsOf, textOf } from './answer.js'
import type { KubernetesObject } from './port.js'

/** The newest resource version among these: whatever is written from now on has a higher one. */
export function newestVersion(secrets: readonly KubernetesObject[]): string {
  const versions = secrets.map(versionOf).toSorted((one, other) => (one < other ? -1 : Number(one > other)))
  return String(versions.at(-1) ?? 0n)
}

/** Those that nobody has written since then. */
export function notWrittenSince(secrets: readonly KubernetesObject[], version: string): KubernetesObject[] {
  return secrets.filter((secret) => versionOf(secret) <= BigInt(version))
}

/** Tokens of service accounts that are kept in Secrets, where nobody replaces them. */
export function keptTokens(secrets: readonly KubernetesObject[]): { readonly name: string; readonly token: string }[] {
  return secrets
    .filter(({ type }) => type === 'kubernetes.io/service-account-token')
    .map(({ metadata, data }) => ({
      name: `${metadata.namespace}/${metadata.name}`,
      token: Buffer.from(textOf(fieldsOf(data).token), 'base64').toString(),
    }))
}

/** Kubernetes promises that versions of one kind are numbers that grow. */
function versionOf({ metadata: { resourceVersion = '0' } }: KubernetesObject): bigint {
  return /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n
}
