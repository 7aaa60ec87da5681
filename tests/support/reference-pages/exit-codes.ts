import type { exitCodes } from '../../../src/commands/exit-codes.js'

/** What each code means, as README, man page and reference print it. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done or healthy',
  failed: 'failed, incomplete, or could not look',
  invalid: 'invalid inventory or command line',
  refused: 'refused',
  pending: 'changes pending, paused, degraded or down',
  cancelled: 'cancelled',
}
