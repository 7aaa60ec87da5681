import { Code, ConnectError, type Interceptor, type StreamResponse, type UnaryResponse } from '@connectrpc/connect'
import type { TalosMachine } from '../machine/machine.js'
import { machineKey } from './call-context.js'
import type { Connection } from './node-api.js'

type Call = Parameters<ReturnType<Interceptor>>[0]
type CallAnswer = UnaryResponse | StreamResponse

const aggregating = ['machine.MachineService', 'storage.StorageService', 'time.TimeService']

/** Sends the call where its metadata says: to this node, to one other, or to several whose answers are put together. */
export async function route(
  call: Call,
  connection: Connection,
  serve: (call: Call) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const nodes = valuesOf(call.header.get('nodes'))
  const node = valuesOf(call.header.get('node'))
  if (connection.mode === 'maintenance' || nodes.length + node.length === 0)
    return serve(toward(call, connection.machine))
  if (nodes.length > 0) return toMany(call, connection, nodes, serve)
  const [only = ''] = node
  if (node.length > 1) throw new ConnectError('only one node is allowed', Code.InvalidArgument)
  return serve(toward(call, findTarget(connection, only)))
}

async function toMany(
  call: Call,
  connection: Connection,
  nodes: readonly string[],
  serve: (call: Call) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  if (!aggregating.includes(call.service.typeName) || call.stream) {
    throw new ConnectError('one-to-many proxying is not supported for this API', Code.InvalidArgument)
  }
  const answers = await Promise.all(
    nodes.map(async (target) => labelled(await serve(toward(call, findTarget(connection, target))), target)),
  )
  const [first] = answers
  if (first === undefined) throw new ConnectError('no nodes', Code.InvalidArgument)
  const messages = answers.flatMap((answer) => messagesOf(answer))
  Object.assign(first.message, { messages })
  return first
}

function labelled(answer: CallAnswer, target: string): CallAnswer {
  for (const message of messagesOf(answer)) message.metadata = metadataFor(target)
  return answer
}

function messagesOf(answer: CallAnswer): { metadata?: unknown }[] {
  return (answer.message as { messages?: { metadata?: unknown }[] }).messages ?? []
}

function metadataFor(hostname: string) {
  return { $typeName: 'common.Metadata', hostname, error: '' }
}

function toward(call: Call, machine: TalosMachine): Call {
  call.contextValues.set(machineKey, machine)
  return call
}

/** Only control planes hold the key that forwarding needs. */
function findTarget({ machine }: Connection, target: string): TalosMachine {
  if (machine.addresses.includes(target) || target === machine.hostname) return machine
  if (target.includes(':') && /:\d+$/.test(target) && target.split(':').length === 2) {
    throw new ConnectError(`invalid target "${target}"`, Code.Internal)
  }
  if (machine.facts?.role !== 'controlplane') throw new ConnectError('no request forwarding', Code.PermissionDenied)
  const other = [...machine.fleet.machines].find(
    (candidate) => candidate.addresses.includes(target) || candidate.hostname === target,
  )
  if (other === undefined || other.api.mode !== 'secured' || other.isHung) {
    throw new ConnectError(`error dialing ${target}:50000: connect: connection refused`, Code.Unavailable)
  }
  if (other.facts?.osCa.crt !== machine.facts.osCa.crt) {
    throw new ConnectError(`error dialing ${target}:50000: certificate signed by unknown authority`, Code.Unavailable)
  }
  return other
}

function valuesOf(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
