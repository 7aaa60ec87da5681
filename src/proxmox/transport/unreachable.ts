import type { Meaning, ProxmoxErrorKind } from '../meanings.js'

interface NetworkRow {
  readonly codes: readonly string[]
  readonly kind: ProxmoxErrorKind
  readonly means: string
  readonly fix: string
  /** Waiting does not help. */
  readonly isFinal?: true
}

/** What the network says when no answer comes, by the code of Node's error. */
const rows: readonly NetworkRow[] = [
  {
    codes: ['ECONNREFUSED'],
    kind: 'unreachable',
    means: 'Nothing listens there.',
    fix: 'Check host and port of proxmox.endpoint (usually 8006) and that pveproxy runs on it.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    kind: 'unreachable',
    means: 'The host name does not resolve.',
    fix: 'Correct the name in proxmox.endpoint, or write the address of the host.',
    isFinal: true,
  },
  {
    codes: ['UNTRUSTED'],
    kind: 'untrusted',
    means: 'The host shows another certificate than the one that was pinned.',
    fix: 'If the certificate was renewed on purpose, set proxmox.fingerprint to the new one; otherwise somebody is in between.',
    isFinal: true,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    kind: 'untrusted',
    means: 'The certificate of the host has expired, or the clocks differ.',
    fix: 'Renew it on the host ("pvecm updatecerts --force") or check the clock; proxmox.fingerprint pins it regardless of its age.',
    isFinal: true,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    kind: 'untrusted',
    means: 'The certificate of the host is for another name.',
    fix: 'Use a name that stands in the certificate as proxmox.endpoint, or pin it with proxmox.fingerprint.',
    isFinal: true,
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    kind: 'untrusted',
    means: 'Nobody that this computer trusts has signed the certificate of the host.',
    fix: 'Pin it with proxmox.fingerprint (the host shows it under Certificates), or add the CA of the cluster.',
    isFinal: true,
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    kind: 'not-proxmox',
    means: 'What listens there does not speak TLS.',
    fix: 'Check host and port of proxmox.endpoint: the API of Proxmox is usually on 8006.',
    isFinal: true,
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
    kind: 'unreachable',
    means: 'There is no way to the host.',
    fix: 'Check the network or VPN, or reach it through proxmox.ssh or proxmox.socks.',
  },
  {
    codes: ['TIMEOUT', 'ETIMEDOUT'],
    kind: 'timed-out',
    means: 'The host did not answer in time.',
    fix: 'Check that it is up and not overloaded; name more hosts in proxmox.endpoints so that the next one is asked.',
  },
]

const cutOff: NetworkRow = {
  codes: [],
  kind: 'unreachable',
  means: 'The connection broke.',
  fix: 'Check the network and that pveproxy runs; name more hosts in proxmox.endpoints so that the next one is asked.',
}

function rowOf(cause: unknown): NetworkRow {
  const code = codeOf(cause)
  return rows.find(({ codes }) => codes.includes(code)) ?? cutOff
}

/** What a broken connection means to the user. */
export function networkMeaning(cause: unknown): Meaning {
  const { kind, means, fix } = rowOf(cause)
  return { kind, says: /$/, means: () => means, fix, passes: true }
}

/** Whether trying the same host again is pointless until somebody changes something. */
export function isFinal(cause: unknown): boolean {
  return rowOf(cause).isFinal ?? false
}

/** Whether the deadline ended it: another full wait for the same host would be too long. */
export function isTimeout(cause: unknown): boolean {
  return codeOf(cause) === 'TIMEOUT'
}

function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return ''
  if ('name' in cause && cause.name === 'TimeoutError') return 'TIMEOUT'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
