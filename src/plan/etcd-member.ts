import type { Observed } from '../observe/observed.js'
import type { EtcdMember } from '../talos/api/port.js'

/** The etcd member that runs, or ran, on a machine: known by its name, or by the address that its peers use. */
export function findMember(
  { etcd }: Observed,
  { names, address }: { readonly names: readonly (string | undefined)[]; readonly address?: string | undefined },
): EtcdMember | undefined {
  return etcd?.members.find(
    ({ hostname, peerUrls }) =>
      names.includes(hostname) || (address !== undefined && peerUrls.some((url) => hostOf(url) === address)),
  )
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
