import {
  type Holder,
  type ProcessProbe,
  localProcesses as really,
  operatorName as reallyNamed,
} from '../../../src/ownership/holder.js'
import { currentOperator, isRunning } from '../operator.js'

export type { Holder, ProcessProbe }

const boot = 'chaos'

/** Operators in place of processes; processes of their own are judged as ever. */
export const localProcesses: ProcessProbe = {
  self: async (run) => {
    const operator = currentOperator()
    if (operator === undefined) return really.self(run)
    const { id, computer } = operator
    return { run, user: `operator-${id}`, host: computer, boot, pid: id, started: String(id) }
  },
  isGone: async (holder) => {
    if (holder.boot !== boot) return really.isGone(holder)
    return holder.host === currentOperator()?.computer && !isRunning(holder.pid)
  },
  isHere: async (holder) => {
    if (holder.boot !== boot) return (await really.isHere?.(holder)) ?? false
    return holder.host === currentOperator()?.computer && isRunning(holder.pid)
  },
}

export function operatorName(): string {
  const operator = currentOperator()
  return operator === undefined ? reallyNamed() : `operator-${operator.id}@${operator.computer}`
}
