import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect'
import type { ConfigFacts } from '../config/config-facts.js'
import type { TalosMachine } from '../machine/machine.js'
import type { Connection } from './node-api.js'

/** The connection of a call; always set before a handler runs. */
export const connectionKey = createContextKey<Connection | undefined>(undefined)
/** The machine that answers: the called one, or the one that it forwards to. */
export const machineKey = createContextKey<TalosMachine | undefined>(undefined)

export function machineOf(context: HandlerContext): TalosMachine {
  const machine = context.values.get(machineKey)
  if (machine === undefined) throw new ConnectError('the call reached no machine', Code.Internal)
  return machine
}

export function connectionOf(context: HandlerContext): Connection {
  const connection = context.values.get(connectionKey)
  if (connection === undefined) throw new ConnectError('the call came over no connection', Code.Internal)
  return connection
}

/** For calls that only control planes serve. */
export function controlPlaneOf(context: HandlerContext): { machine: TalosMachine; facts: ConfigFacts } {
  const machine = machineOf(context)
  const { facts } = machine
  if (facts?.role !== 'controlplane') {
    throw new ConnectError('this method is available only on control plane nodes', Code.Unimplemented)
  }
  return { machine, facts }
}
