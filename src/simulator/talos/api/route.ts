import { create, type DescMessage, type Message } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  createContextValues,
  type Interceptor,
  type StreamResponse,
  type UnaryResponse,
} from '@connectrpc/connect'
import { MetadataSchema } from '../../../wire/common/common_pb.js'
import { StatusSchema } from '../../../wire/google/rpc/status_pb.js'
import type { TalosMachine } from '../machine/machine.js'
import { connectionKey, machineKey } from './call-context.js'
import { mergeStreams } from './merge-streams.js'
import type { Connection } from './node-api.js'

type Call = Parameters<ReturnType<Interceptor>>[0]
type CallAnswer = UnaryResponse | StreamResponse
type Serve = (call: Call) => Promise<CallAnswer>

/** Methods whose responses of several nodes can be combined. */
const aggregating = [
  'machine.MachineService',
  'cluster.ClusterService',
  'inspect.InspectService',
  'storage.StorageService',
  'time.TimeService',
]

/** Sends the call to the target in its metadata: this node, another one, or several whose responses are combined. */
export async function route(call: Call, connection: Connection, serve: Serve): Promise<CallAnswer> {
  const nodes = valuesOf(call.header.get('nodes'))
  const node = valuesOf(call.header.get('node'))
  if (node.length > 1) throw new ConnectError('node metadata must be single-valued', Code.InvalidArgument)
  const [only] = nodes.length === 1 && !canForward(connection.machine) ? nodes : node
  if (connection.mode === 'maintenance' || nodes.length + node.length === 0)
    return serve(toward(call, connection, connection.machine))
  if (only !== undefined && (nodes.length === 0 || isOwn(connection.machine, only)))
    return serve(toward(call, connection, findTarget(connection, only)))
  return toMany(call, connection, nodes, serve)
}

async function toMany(call: Call, connection: Connection, nodes: readonly string[], serve: Serve): Promise<CallAnswer> {
  const { typeName } = call.service
  if (!aggregating.includes(typeName)) {
    const problem = `one-2-many proxying is not supported for method /${typeName}/${call.method.name}`
    throw new ConnectError(problem, Code.InvalidArgument)
  }
  if (!canForward(connection.machine)) throw new ConnectError('no request forwarding', Code.PermissionDenied)
  const copies = await copiesOf(call, nodes.length)
  const answers = nodes.map((node, n) => ({
    node,
    answer: async () => serve(toward(copies[n] ?? call, connection, findTarget(connection, node))),
  }))
  return call.stream ? mergedStream(call, answers) : mergedMessages(call, answers)
}

interface NodeAnswer {
  readonly node: string
  answer(): Promise<CallAnswer>
}

/** One message with an element per node; the element of a failed node has its error. */
async function mergedMessages(call: Call, answers: readonly NodeAnswer[]): Promise<CallAnswer> {
  const element = call.method.output.field.messages?.message
  const parts = await Promise.all(
    answers.map(async ({ node, answer }) => {
      try {
        const { message } = await answer()
        const { messages = [] } = message as { messages?: Message[] }
        return messages.map((one) => Object.assign(one, labelFor(node)))
      } catch (error) {
        return element === undefined ? [] : [failureOf(element, node, error)]
      }
    }),
  )
  const message = Object.assign(create(call.method.output), { messages: parts.flat() })
  return { ...answerFrame(call), stream: false, message } as UnaryResponse
}

/** The messages of all nodes as they arrive; the end of one is not the end of all. */
function mergedStream(call: Call, answers: readonly NodeAnswer[]): CallAnswer {
  const streams = answers.map(({ node, answer }) => labelledStream(call.method.output, node, answer))
  return { ...answerFrame(call), stream: true, message: mergeStreams(streams) } as StreamResponse
}

async function* labelledStream(output: DescMessage, node: string, answer: NodeAnswer['answer']) {
  try {
    const { message } = await answer()
    for await (const one of message as AsyncIterable<Message>) yield Object.assign(one, labelFor(node))
  } catch (error) {
    yield failureOf(output, node, error)
  }
}

/** The headers and trailers of a combined response. */
function answerFrame({ service, method, header }: Call) {
  const type = header.get('content-type') ?? 'application/grpc'
  return {
    service,
    method,
    header: new Headers({ 'content-type': type }),
    trailer: new Headers({ 'grpc-status': '0' }),
  }
}

function labelFor(hostname: string) {
  return { metadata: create(MetadataSchema, { hostname }) }
}

function failureOf(desc: DescMessage, hostname: string, error: unknown): Message {
  const { code, rawMessage } = ConnectError.from(error)
  const name = Code[code] ?? 'Unknown'
  const text = `rpc error: code = ${name} desc = ${rawMessage}`
  const status = create(StatusSchema, { code, message: rawMessage })
  return Object.assign(create(desc), { metadata: create(MetadataSchema, { hostname, error: text, status }) })
}

/** A stream of input can be read once; each node gets all of it. */
async function copiesOf(call: Call, count: number): Promise<Call[]> {
  if (!call.stream) return Array.from({ length: count }, () => call)
  const given: Message[] = []
  for await (const message of call.message) given.push(message)
  return Array.from({ length: count }, () => ({ ...call, message: replay(given) }))
}

async function* replay<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

function toward(call: Call, connection: Connection, machine: TalosMachine): Call {
  const contextValues = createContextValues().set(connectionKey, connection).set(machineKey, machine)
  return { ...call, contextValues }
}

/** Only control planes have the key that forwarding needs. */
function canForward({ facts }: TalosMachine): boolean {
  return facts?.role === 'controlplane'
}

function isOwn(machine: TalosMachine, target: string): boolean {
  return machine.addresses.includes(target) || target === machine.hostname
}

function findTarget({ machine }: Connection, target: string): TalosMachine {
  if (isOwn(machine, target)) return machine
  if (target.includes(':') && /:\d+$/.test(target) && target.split(':').length === 2) {
    throw new ConnectError(`invalid target "${target}"`, Code.Internal)
  }
  if (!canForward(machine)) throw new ConnectError('no request forwarding', Code.PermissionDenied)
  const other = [...machine.fleet.machines].find(
    (candidate) => candidate.addresses.includes(target) || candidate.hostname === target || candidate.vips.has(target),
  )
  const failure = (reason: string) =>
    new ConnectError(`connection error: desc = "transport: ${reason}"`, Code.Unavailable)
  if (other === undefined || other.api.mode !== 'secured' || other.isHung)
    throw failure(`Error while dialing: dial tcp ${target}:50000: connect: connection refused`)
  if (!machine.fleet.network.canConnect(machine.addresses[0] ?? '', other.addresses[0] ?? '', 50_000))
    throw failure(`Error while dialing: dial tcp ${target}:50000: i/o timeout`)
  if (!trusts(machine, other.certificate?.issuer) || !trusts(other, machine.facts?.osCa.crt))
    throw failure('authentication handshake failed: tls: certificate signed by unknown authority')
  return other
}

/** Whether a node accepts certificates of this CA: it is its own, or an accepted one. */
function trusts({ facts }: TalosMachine, ca: string | undefined): boolean {
  return facts !== undefined && ca !== undefined && [facts.osCa.crt, ...facts.acceptedOsCas].includes(ca)
}

function valuesOf(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
