import { Agent, request as httpsRequest } from 'node:https'
import { setImmediate as turn } from 'node:timers/promises'
import type { ProxmoxSim } from '../../src/simulator/proxmox/index.js'
import { files } from './files.js'
import type { RecordedClock } from './recorded-clock.js'

/** What came back; `null` where the connection was cut instead. */
export interface Answer {
  readonly status: number | null
  readonly reason: string | null
  readonly body: unknown
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Caller and lab share an event loop: what is not answered after so many of its turns, and so long, waits for model time. */
const turnsOfAnAnswer = 3000
const answerMs = 20
const patienceMs = 20_000

/** Sends one request. While the lab lets it wait, model time passes. */
export async function send(sim: ProxmoxSim, clock: RecordedClock, sent: Sent): Promise<Answer> {
  let answer: Answer | undefined
  void exchange(sim, sent).then((result) => {
    answer = result
  })
  const started = performance.now()
  for (let turns = 0; answer === undefined; turns++) {
    await turn()
    const waitedMs = performance.now() - started
    if (answer === undefined && turns > turnsOfAnAnswer && waitedMs > answerMs) await clock.passToNext()
    if (waitedMs > patienceMs) throw new Error(`${sent.method} ${sent.path} is not answered.`)
  }
  return answer
}

function exchange(sim: ProxmoxSim, { method, path, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(sim.endpoint)
  const isChunked = headers['Transfer-Encoding'] !== undefined
  const isBare = isChunked || (body.length === 0 && method !== 'POST' && method !== 'PUT')
  const length: Record<string, string> = isBare ? {} : { 'Content-Length': String(body.length) }
  return new Promise((resolve) => {
    const cut = () => resolve({ status: null, reason: null, body: '' })
    const outgoing = httpsRequest(
      { host: hostname, port, method, path, ca: sim.ca, agent: agentOf(sim), headers: { ...headers, ...length } },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', cut)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            reason: incoming.statusMessage ?? '',
            body: parse(Buffer.concat(chunks).toString('utf8')),
          }),
        )
      },
    )
    outgoing.on('error', cut)
    outgoing.end(body)
  })
}

const agents = new WeakMap<ProxmoxSim, Agent>()

function agentOf(sim: ProxmoxSim): Agent {
  const agent = agents.get(sim) ?? new Agent({ keepAlive: true })
  agents.set(sim, agent)
  return agent
}

/** JSON where it is, text where it is not. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A form with files as curl sends it; `@name` stands for one of our files. */
export function multipart(parts: readonly (readonly [string, string])[]): { type: string; body: Buffer } {
  const boundary = '------------------------0123456789abcdef'
  const chunks = parts.flatMap(([name, value]) => {
    const [, source, , given] = /^@([^;]+)(;filename=(.*))?$/.exec(value) ?? []
    if (source === undefined)
      return [Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)]
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${given ?? source}"\r\nContent-Type: application/octet-stream\r\n\r\n`
    return [Buffer.from(head), Buffer.from(files[source] ?? ''), Buffer.from('\r\n')]
  })
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  }
}
