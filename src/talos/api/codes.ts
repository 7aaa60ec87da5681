/** The gRPC codes that a node answers with. */
export type CodeName =
  | 'Canceled'
  | 'Unknown'
  | 'InvalidArgument'
  | 'DeadlineExceeded'
  | 'NotFound'
  | 'AlreadyExists'
  | 'PermissionDenied'
  | 'ResourceExhausted'
  | 'FailedPrecondition'
  | 'Aborted'
  | 'OutOfRange'
  | 'Unimplemented'
  | 'Internal'
  | 'Unavailable'
  | 'DataLoss'
  | 'Unauthenticated'

export interface Meaning {
  /** Follows the name of the call: "dev-cp-1: Bootstrap is not possible yet". */
  readonly means: string
  readonly fix: string
  readonly passes: boolean
}

const seeLogs = 'Look at what the node says (ichor dmesg, ichor logs), then run the same command again.'

const meanings: Readonly<Record<CodeName, Meaning>> = {
  Canceled: {
    means: 'was cut off',
    fix: 'The node restarts its API while it takes a config or reboots: run the same command again.',
    passes: true,
  },
  Unavailable: {
    means: 'got no answer',
    fix: 'Wait until the machine has booted and its API is up, then run the same command again.',
    passes: true,
  },
  DeadlineExceeded: {
    means: 'took too long',
    fix: 'Check the load of the machine and of its host, then run the same command again.',
    passes: true,
  },
  FailedPrecondition: {
    means: 'is not possible yet',
    fix: 'Wait until the node has finished what it is doing, then run the same command again.',
    passes: true,
  },
  Aborted: { means: 'was broken off by the node', fix: 'Run the same command again.', passes: true },
  ResourceExhausted: {
    means: 'is more than the node can take',
    fix: 'Check for a full disk or a message over 32 MiB; for META, delete a key first.',
    passes: false,
  },
  Unknown: { means: 'failed on the node', fix: seeLogs, passes: true },
  Internal: { means: 'failed inside the node', fix: seeLogs, passes: false },
  DataLoss: { means: 'lost data', fix: seeLogs, passes: false },
  InvalidArgument: {
    means: 'was given something that the node does not accept',
    fix: 'Correct what the node names, in the inventory or in a patch, and run the same command again.',
    passes: false,
  },
  OutOfRange: {
    means: 'was given something out of range',
    fix: 'Correct what the node names, and run the same command again.',
    passes: false,
  },
  NotFound: {
    means: 'speaks of something that the node does not have',
    fix: 'Check the name or id; it may be gone already.',
    passes: false,
  },
  AlreadyExists: {
    means: 'has been done before',
    fix: 'Nothing is left to do for it; check with ichor status.',
    passes: false,
  },
  PermissionDenied: {
    means: 'is not allowed with our certificate',
    fix: 'Use a certificate with the role os:admin; one for reading or backups only cannot do this.',
    passes: false,
  },
  Unauthenticated: {
    means: 'is not allowed, because the node does not know us',
    fix: 'Check that the secrets are those of this cluster.',
    passes: false,
  },
  Unimplemented: {
    means: 'does not exist on this node',
    fix: 'Check the Talos version, and whether this call is only for control planes.',
    passes: false,
  },
}

export function meaningOf(code: CodeName): Meaning {
  return meanings[code] ?? meanings.Unknown
}
