import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import { durations } from '../../machine/durations.js'
import type { TalosMachine } from '../../machine/machine.js'
import type { ServiceEntry } from '../../machine/services.js'
import { machineOf } from '../call-context.js'

/** What runs on the node. */
export const serviceHandlers = {
  serviceList: (_request, context) => {
    const services = machineOf(context).services.list().map(infoOf)
    return { messages: [{ services }] }
  },
  serviceStart: ({ id }, context) => {
    const machine = get(machineOf(context), id)
    refuseUnless(isOfExtension(id) || id === 'kubelet', id, 'start')
    if (machine.services.find(id)?.state === 'Finished') machine.services.up(id)
    return { messages: [{ resp: `Service "${id}" started` }] }
  },
  serviceStop: ({ id }, context) => {
    const { services } = get(machineOf(context), id)
    refuseUnless(isOfExtension(id), id, 'stop')
    services.set(id, 'Finished', 'Service finished successfully')
    return { messages: [{ resp: `Service "${id}" stopped` }] }
  },
  serviceRestart: ({ id }, context) => {
    const machine = get(machineOf(context), id)
    refuseUnless(isOfExtension(id) || id === 'kubelet', id, 'restart')
    machine.services.set(id, 'Stopping', `Sending SIGTERM to task ${id}`)
    if (id === 'kubelet') machine.kubeletRestarts++
    else machine.fleet.clock.after(durations.retry, () => machine.services.up(id))
    return { messages: [{ resp: `Service "${id}" restarted` }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

function infoOf({ id, state, healthy, message, changedAt, history }: ServiceEntry) {
  return {
    id,
    state,
    events: {
      events: history.map((event) => ({ msg: event.message, state: event.state, ts: timestampFromMs(event.at) })),
    },
    health: {
      unknown: healthy === undefined,
      healthy: healthy === true,
      lastMessage: message,
      lastChange: timestampFromMs(changedAt),
    },
  }
}

function get(machine: TalosMachine, id: string): TalosMachine {
  if (machine.services.find(id) !== undefined) return machine
  throw new ConnectError(`service "${id}" not defined`, Code.Unknown)
}

function isOfExtension(id: string): boolean {
  return id.startsWith('ext-')
}

/** Of Talos's own services only the kubelet can be started and restarted from outside, and none stopped. */
function refuseUnless(isAllowed: boolean, id: string, verb: string): void {
  if (!isAllowed) throw new ConnectError(`service "${id}" doesn't support ${verb} operation via API`, Code.Unknown)
}
