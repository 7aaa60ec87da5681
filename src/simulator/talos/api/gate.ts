import { Code, ConnectError, type Interceptor, type StreamResponse, type UnaryResponse } from '@connectrpc/connect'
import type { FaultRule } from '../../core/faults.js'
import type { TalosMachine } from '../machine/machine.js'
import { connectionKey, machineKey } from './call-context.js'
import type { Connection } from './node-api.js'
import { isMutating, isServedByOldMaintenance, mayCall } from './roles.js'
import { route } from './route.js'
import { unknownMethod } from './unknown-method.js'

type Call = Parameters<ReturnType<Interceptor>>[0]
type CallAnswer = UnaryResponse | StreamResponse

/** What every call passes before its handler: faults, roles, forwarding, and the ledger. */
export const gate: Interceptor = (next) => async (call) => {
  const connection = call.contextValues.get(connectionKey)
  if (connection === undefined) throw new ConnectError('no connection', Code.Internal)
  const path = `/${call.service.typeName}/${call.method.name}`
  const rule = await admit(path, connection, call.signal)
  const answer = await route(call, connection, async (routed) => serve(routed, path, next))
  return failAfter(rule, connection, answer)
}

/** Waits while the node hangs, applies the fault for this call, and refuses callers without the role. */
export async function admit(path: string, connection: Connection, signal: AbortSignal): Promise<FaultRule | undefined> {
  const { machine } = connection
  await untilAwake(machine, signal)
  const method = path.split('/').at(-1) ?? ''
  const rule = machine.fleet.faults.meet({
    surface: 'talos',
    method,
    path,
    mutating: isMutating(method),
    machine: machine.hostname,
  })
  await failBefore(rule, connection)
  refuseStrangers(path, connection)
  return rule
}

async function serve(call: Call, path: string, next: (call: Call) => Promise<CallAnswer>): Promise<CallAnswer> {
  const machine = call.contextValues.get(machineKey)
  const mutating = isMutating(call.method.name)
  const roles = [...(call.contextValues.get(connectionKey)?.peer.roles ?? [])].sort().join(' ')
  const record = (code: string) => machine?.record('call', { path, code, roles }, mutating)
  try {
    const answer = await next(call)
    record('ok')
    return answer
  } catch (thrown) {
    const error = isNotImplemented(thrown) ? unknownMethod(path) : thrown
    record(Code[ConnectError.from(error).code] ?? 'Unknown')
    throw error
  }
}

/** The library's message for a method without a handler. */
function isNotImplemented(error: unknown): boolean {
  return (
    error instanceof ConnectError && error.code === Code.Unimplemented && / is not implemented$/.test(error.rawMessage)
  )
}

function refuseStrangers(path: string, { machine, mode, peer }: Connection): void {
  if (mode === 'maintenance' && machine.minor <= 12 && !isServedByOldMaintenance(path)) {
    throw new ConnectError('API is not implemented in maintenance mode', Code.Unimplemented)
  }
  if (!mayCall(path, peer.roles, mode)) throw new ConnectError('not authorized', Code.PermissionDenied)
}

/** A hung node accepts the call and never responds. */
async function untilAwake(machine: TalosMachine, signal: AbortSignal): Promise<void> {
  while (machine.isHung) await machine.fleet.clock.sleep(1000, signal)
}

async function failBefore(rule: FaultRule | undefined, { machine, cut }: Connection): Promise<void> {
  const action = rule?.action
  if (action?.kind === 'refuse') {
    cut()
    throw new ConnectError('connection refused', Code.Unavailable)
  }
  if (action?.kind === 'delay') await machine.fleet.clock.sleep(action.modelMs)
  if (action?.kind === 'status') throw new ConnectError(action.message, action.status)
}

function failAfter(rule: FaultRule | undefined, { machine, cut }: Connection, answer: CallAnswer): CallAnswer {
  const kind = rule?.action.kind
  if (kind === 'cut-stream' && answer.stream) return { ...answer, message: cutInTheMiddle(answer.message, cut) }
  if (kind !== 'drop-answer' && kind !== 'kill-caller' && kind !== 'cut-stream') return answer
  if (kind === 'kill-caller') machine.fleet.killCaller()
  cut()
  throw new ConnectError('the connection broke after the node had acted', Code.Unavailable)
}

async function* cutInTheMiddle<T>(messages: AsyncIterable<T>, cut: () => void): AsyncGenerator<T> {
  let count = 0
  for await (const message of messages) {
    if (count++ > 0) return cut()
    yield message
  }
  cut()
}
