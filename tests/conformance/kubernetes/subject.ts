import { connectKubernetes } from '../../../src/kubernetes/connect.js'
import type { KubernetesApi, KubernetesCredentials, KubernetesObject } from '../../../src/kubernetes/port.js'
import { AgentPool, createTransport, type Transport } from '../../../src/kubernetes/transport.js'
import { createDirectDialer } from '../../../src/reach/direct.js'
import type { Clock } from '../../../src/world.js'

/** One of the two that are compared, with our client on it. */
export interface Subject {
  readonly label: 'real' | 'simulated'
  readonly api: KubernetesApi
  /** For what our client has no call: creating pods, writing statuses. */
  readonly transport: Transport
  readonly clock: Clock
}

export const signal = new AbortController().signal

export function subjectAt(
  label: Subject['label'],
  endpoint: { host: string; port: number },
  credentials: KubernetesCredentials,
  clock: Clock,
): Subject & { close(): Promise<void> } {
  const options = { dialer: createDirectDialer(), clock, credentials: async () => credentials }
  const agents = new AgentPool(options)
  const port = connectKubernetes(options)
  const close = async () => {
    agents.close()
    await port.close()
  }
  return { label, api: port.at([endpoint]), transport: createTransport(options, [endpoint], agents), clock, close }
}

export const wallClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export async function create(subject: Subject, path: string, object: KubernetesObject): Promise<void> {
  await subject.transport.json({ method: 'POST', path, body: object, verb: 'create', object: path }, signal)
}

export async function patchStatus(subject: Subject, path: string, status: object): Promise<void> {
  const contentType = 'application/merge-patch+json'
  const call = {
    method: 'PATCH',
    path: `${path}/status`,
    body: { status },
    contentType,
    verb: 'patch',
    object: path,
  } as const
  await subject.transport.json(call, signal)
}

export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} did not come true`)
}
