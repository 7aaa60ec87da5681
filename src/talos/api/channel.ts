import { setMaxListeners } from 'node:events'
import { type CallOptions, type Client, createClient, type Transport } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import type { Metadata } from '../../wire/common/common_pb.js'
import { State } from '../../wire/cosi/resource/state_pb.js'
import { ImageService } from '../../wire/machine/image_pb.js'
import { LifecycleService } from '../../wire/machine/lifecycle_pb.js'
import { MachineService } from '../../wire/machine/machine_pb.js'
import { TimeService } from '../../wire/time/time_pb.js'
import type { TalosTarget } from './port.js'
import type { SessionManager } from './session.js'
import { listen } from './stream.js'
import { answered, talosErrorFrom } from './talos-error.js'

const maxMessageBytes = 32 * 1024 * 1024

/** Call timeouts: a response from memory, work on the node, waiting for other nodes, or sending gigabytes. */
const deadlines = { quick: 10_000, work: 60_000, long: 6 * 60_000, upload: 60 * 60_000 } as const

type Deadline = keyof typeof deadlines

/** The longest pause in a stream: while it sends existing data, while it works, or while it waits for events. */
const silences = { sending: 30_000, working: 10 * 60_000, following: undefined } as const

export type Silence = keyof typeof silences

/** The services of one node, and the two ways to call them so that failures become `TalosError`. */
export interface Channel {
  readonly target: TalosTarget
  readonly machine: Client<typeof MachineService>
  readonly lifecycle: Client<typeof LifecycleService>
  readonly images: Client<typeof ImageService>
  readonly state: Client<typeof State>
  readonly time: Client<typeof TimeService>
  call<T>(name: string, deadline: Deadline, signal: AbortSignal, run: (options: CallOptions) => Promise<T>): Promise<T>
  stream<T>(
    name: string,
    silence: Silence,
    signal: AbortSignal,
    run: (options: CallOptions) => AsyncIterable<T>,
  ): AsyncIterable<T>
}

export function openChannel(target: TalosTarget, sessions: SessionManager): Channel {
  const transport = transportOver(sessions)
  return {
    target,
    machine: createClient(MachineService, transport),
    lifecycle: createClient(LifecycleService, transport),
    images: createClient(ImageService, transport),
    state: createClient(State, transport),
    time: createClient(TimeService, transport),
    async call(name, deadline, signal, run) {
      allowManyCalls(signal)
      signal.throwIfAborted()
      try {
        return await run({ signal, timeoutMs: deadlines[deadline] })
      } catch (thrown) {
        throw talosErrorFrom(thrown, target, name, signal)
      }
    },
    async *stream(name, silence, signal, run) {
      allowManyCalls(signal)
      signal.throwIfAborted()
      const silenceMs = silences[silence]
      try {
        yield* listen((ending) => run({ signal: ending }), {
          signal,
          ...(silenceMs === undefined ? {} : { silenceMs }),
        })
      } catch (thrown) {
        throw talosErrorFrom(thrown, target, name, signal)
      }
    },
  }
}

/** One signal stops a whole run: more than ten calls listen to it, which is not a leak. */
function allowManyCalls(signal: AbortSignal): void {
  setMaxListeners(0, signal)
}

function transportOver(sessions: SessionManager): Transport {
  return createGrpcTransport({
    baseUrl: sessions.authority,
    sessionManager: sessions,
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    acceptCompression: [],
  })
}

/** A unary response wraps one element; older nodes put a failure into it although the call succeeds. */
export function only<T extends { metadata?: Metadata | undefined }>(
  channel: Channel,
  call: string,
  messages: readonly T[],
): T {
  const [message] = messages
  if (message === undefined) throw answered('Internal', 'the answer was empty', channel.target, call)
  const problem = message.metadata?.error
  if (problem !== undefined && problem !== '') throw answered('Unknown', problem, channel.target, call)
  return message
}
