/** The gRPC codes that a node returns. */
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

export interface CodeRule {
  /** Follows the name of the call: "dev-cp-1: Bootstrap is not possible yet". */
  readonly message: string
  readonly fix: string
  readonly isTransient: boolean
}

const seeLogs = 'Check the logs of the node (ichor dmesg, ichor logs), then run the same command again.'

const codeRules: Readonly<Record<CodeName, CodeRule>> = {
  Canceled: {
    message: 'was cut off',
    fix: 'The node restarts its API while it applies a config or reboots: run the same command again.',
    isTransient: true,
  },
  Unavailable: {
    message: 'got no answer',
    fix: 'Wait until the machine has booted and its API is up, then run the same command again.',
    isTransient: true,
  },
  DeadlineExceeded: {
    message: 'took too long',
    fix: 'Check the load of the machine and of its host, then run the same command again.',
    isTransient: true,
  },
  FailedPrecondition: {
    message: 'is not possible yet',
    fix: 'Wait until the node has finished its current operation, then run the same command again.',
    isTransient: true,
  },
  Aborted: { message: 'was aborted by the node', fix: 'Run the same command again.', isTransient: true },
  ResourceExhausted: {
    message: 'exceeds the limits of the node',
    fix: 'Check for a full disk or a message over 32 MiB; for META, delete a key first.',
    isTransient: false,
  },
  Unknown: { message: 'failed on the node', fix: seeLogs, isTransient: true },
  Internal: { message: 'failed inside the node', fix: seeLogs, isTransient: false },
  DataLoss: { message: 'lost data', fix: seeLogs, isTransient: false },
  InvalidArgument: {
    message: 'was given something that the node does not accept',
    fix: 'Correct the setting in the inventory or in a patch, and run the same command again.',
    isTransient: false,
  },
  OutOfRange: {
    message: 'was given something out of range',
    fix: 'Correct the setting, and run the same command again.',
    isTransient: false,
  },
  NotFound: {
    message: 'names something that the node does not have',
    fix: 'Check the name or ID; it may no longer exist.',
    isTransient: false,
  },
  AlreadyExists: {
    message: 'has been done before',
    fix: 'Nothing is left to do for it; check with ichor status.',
    isTransient: false,
  },
  PermissionDenied: {
    message: 'is not allowed with our certificate',
    fix: 'Use a certificate with the role os:admin; one for reading or backups only cannot do this.',
    isTransient: false,
  },
  Unauthenticated: {
    message: 'is not allowed, because the node does not know us',
    fix: 'Check that the secrets are those of this cluster.',
    isTransient: false,
  },
  Unimplemented: {
    message: 'does not exist on this node',
    fix: 'Check the Talos version, and whether this call is only for control planes.',
    isTransient: false,
  },
}

export function ruleOf(code: CodeName): CodeRule {
  return codeRules[code] ?? codeRules.Unknown
}
