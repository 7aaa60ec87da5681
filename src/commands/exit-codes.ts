/** What the program ends with, for code and documentation. */
export const exitCodes = { done: 0, failed: 1, invalid: 2, refused: 3, pending: 4, cancelled: 130 } as const

/** For scripts that read the result and want no verdict in the exit code. */
export const exitZeroArg = {
  exitZero: { type: 'flag', help: 'exit with 0 even if the cluster is degraded or down' },
} as const

/** The exit code of a command that looks at a cluster. */
export function verdictCode(isGood: boolean, { exitZero }: { readonly exitZero: boolean }): number {
  return isGood || exitZero ? exitCodes.done : exitCodes.pending
}
