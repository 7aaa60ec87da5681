import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import type { LoggedEvent } from '../../machine/event-log.js'
import type { TalosMachine } from '../../machine/machine.js'
import type { TextLog } from '../../machine/text-log.js'
import { machineOf } from '../call-context.js'
import { following } from './following.js'

/** Events, logs of services and containers, and the kernel's ring buffer. */
export const logHandlers = {
  events: async function* ({ tailEvents, tailId, tailSeconds, withActorId }, context) {
    const { events, boot } = machineOf(context)
    const isWanted = ({ actor }: LoggedEvent) => withActorId === '' || actor === withActorId
    yield {}
    const live = following<LoggedEvent>(
      (listener) => events.listen(listener),
      AbortSignal.any([context.signal, boot.signal]),
    )
    for (const event of events.past({ count: tailEvents, sinceId: tailId, sinceMs: tailSeconds * 1000 })) {
      if (isWanted(event)) yield wire(event)
    }
    for await (const event of live) if (isWanted(event)) yield wire(event)
  },
  logs: async function* ({ namespace, id, follow, tailLines }, context) {
    const machine = machineOf(context)
    yield* lines(machine, findLog(machine, namespace, id), tailLines, follow, context.signal)
  },
  logsContainers: (_request, context) => {
    const ids = machineOf(context)
      .services.list()
      .map(({ id }) => id)
    return { messages: [{ ids }] }
  },
  dmesg: async function* ({ follow, tail }, context) {
    const machine = machineOf(context)
    yield* lines(machine, machine.console, follow && tail ? 0 : -1, follow, context.signal)
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

async function* lines(machine: TalosMachine, log: TextLog, tail: number, follow: boolean, caller: AbortSignal) {
  const signal = AbortSignal.any([caller, machine.boot.signal])
  const live = follow ? following<string>((listener) => log.listen(listener), signal) : []
  for (const line of log.tail(tail)) yield { bytes: Buffer.from(`${line}\n`) }
  for await (const line of live) yield { bytes: Buffer.from(`${line}\n`) }
}

function findLog(machine: TalosMachine, namespace: string, id: string): TextLog {
  const log = namespace === 'system' || id === 'kubelet' ? machine.services.findLog(id) : undefined
  if (log !== undefined) return log
  const kind = namespace === 'system' ? `log "${id}" was not registered` : `container "${id}" not found`
  throw new ConnectError(kind, namespace === 'system' ? Code.Unknown : Code.NotFound)
}

function wire({ id, actor, type, bytes }: LoggedEvent) {
  return { id, actorId: actor, data: { typeUrl: `talos/runtime/${type}`, value: bytes } }
}
