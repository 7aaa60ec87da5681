import { createHash } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxmoxSim } from '../../src/simulator/proxmox/index.js'
import { files } from './files.js'
import { normalise, normaliseText } from './normalise.js'
import { secretOf } from './people.js'
import type { Exchange } from './recording.js'

export interface Outcome {
  readonly exchange: Exchange
  readonly agrees: boolean
  /** What differs, for the report. */
  readonly difference: string
}

interface Answer {
  readonly status: number | null
  readonly reason: string | null
  readonly body: unknown
}

/** Sends recorded requests to a lab, with what is different there in place of what was recorded. */
export class Replayer {
  private sim: ProxmoxSim
  private readonly substitutes = new Map<string, string>()
  private ticket = ''
  private csrf = ''
  private doomed: string | undefined

  constructor(sim: ProxmoxSim, filesUrl: string) {
    this.sim = sim
    this.substitutes.set('http://127.0.0.1:8080', filesUrl)
    this.substitutes.set('http%3A%2F%2F127.0.0.1%3A8080', encodeURIComponent(filesUrl))
    this.substitutes.set(
      recordedChecksum,
      createHash('sha256')
        .update(files['tiny.iso'] ?? '')
        .digest('hex'),
    )
  }

  /** The lab was started again from a changed state. */
  moveTo(sim: ProxmoxSim): void {
    this.sim = sim
  }

  async logIn(): Promise<void> {
    const form = `username=root%40pam&password=${encodeURIComponent(this.sim.rootPassword)}`
    const { body } = await this.send(
      'POST',
      '/api2/json/access/ticket',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      Buffer.from(form),
    )
    const { ticket, CSRFPreventionToken } = (body as { data: Record<string, string> }).data
    this.ticket = ticket ?? ''
    this.csrf = CSRFPreventionToken ?? ''
  }

  async replay(exchange: Exchange): Promise<Outcome> {
    const { request, response } = exchange
    if (this.doomed !== undefined && isAfterKill(exchange.title)) await this.kill()
    const path = this.substitute(request.path)
    if (/ - final task status$| - task log$/.test(exchange.title)) await this.waitForTask(path)
    const { headers, body } = this.prepare(request)
    const answer = await this.send(request.method, path, headers, body)
    this.learn(response.body, answer.body)
    if (isKilledLater(exchange)) this.doomed = taskIn(answer.body)
    if (this.doomed !== undefined && /killed as soon as/.test(exchange.title)) await this.kill(0)
    if (exchange.readBack !== undefined) await this.settle(answer.body)
    return compare(exchange, answer, (text) => this.back(text))
  }

  private substitute(text: string): string {
    let result = text
    for (const [recorded, actual] of this.substitutes) result = result.replaceAll(recorded, actual)
    return result
  }

  /** Recorded checksums in place of ours, so that answers that repeat them agree. */
  private back(text: string): string {
    return text.replaceAll(this.substitutes.get(recordedChecksum) ?? '', recordedChecksum)
  }

  private prepare({ headers, body }: Exchange['request']): { headers: Record<string, string>; body: Buffer } {
    const sent: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers)) if (value !== '') sent[name] = this.fillIn(name, value)
    if (typeof body === 'object') {
      const upload = multipart(body.multipart.map(([name, value]) => [name, this.substitute(value)]))
      return { headers: { ...sent, 'Content-Type': upload.type }, body: upload.body }
    }
    return { headers: sent, body: Buffer.from(this.substitute(this.passwords(expand(body ?? '')))) }
  }

  private passwords(body: string): string {
    const user = /username=([^&]+)|"username": "([^"]+)"/.exec(body)
    const name = decodeURIComponent(user?.[1] ?? user?.[2] ?? '')
    const password = name.startsWith('root') ? this.sim.rootPassword : 'lab-password'
    return body.replace(/%3Credacted-password%3E|<redacted-password>/g, password)
  }

  private fillIn(name: string, value: string): string {
    if (name === 'Cookie') return value.replace('<ticket of root@pam>', encodeURIComponent(this.ticket))
    if (name === 'CSRFPreventionToken') return value.replace('<csrf of root@pam>', this.csrf)
    if (name !== 'Authorization') return value
    if (value.startsWith('PVEAuthCookie=PVE:')) return `PVEAuthCookie=${this.ticket}`
    const token = /([^\s=]+![^=:]+)/.exec(decodeURIComponent(value))?.[1] ?? ''
    const secret = token === this.sim.tokenId ? this.sim.tokenSecret : secretOf(token)
    return value.replace('<SECRET IN UPPER CASE>', secret.toUpperCase()).replace(/<secret>|<redacted>/, secret)
  }

  private send(method: string, path: string, headers: Record<string, string>, body: Buffer): Promise<Answer> {
    const { hostname, port } = new URL(this.sim.endpoint)
    const isChunked = headers['Transfer-Encoding'] !== undefined
    const length: Record<string, string> =
      isChunked || (body.length === 0 && method !== 'POST' && method !== 'PUT')
        ? {}
        : { 'Content-Length': String(body.length) }
    return new Promise((resolve) => {
      const failed = () => resolve({ status: null, reason: null, body: '' })
      const outgoing = httpsRequest(
        { host: hostname, port, method, path, ca: this.sim.ca, agent: false, headers: { ...headers, ...length } },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', failed)
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              reason: incoming.statusMessage ?? '',
              body: parse(Buffer.concat(chunks).toString('utf8')),
            }),
          )
        },
      )
      outgoing.on('error', failed)
      outgoing.end(body)
    })
  }

  /** Values that the lab chose itself are what later requests must name. */
  private learn(recorded: unknown, actual: unknown): void {
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (recorded === actual || !/^(UPID:|[0-9a-f]{40}$)/.test(recorded)) return
      this.substitutes.set(recorded, actual)
      this.substitutes.set(encode(recorded), encode(actual))
      return
    }
    if (
      typeof recorded !== 'object' ||
      typeof actual !== 'object' ||
      recorded === null ||
      actual === null ||
      Array.isArray(recorded)
    )
      return
    for (const [key, value] of Object.entries(recorded)) this.learn(value, (actual as Record<string, unknown>)[key])
  }

  private async waitForTask(path: string): Promise<void> {
    const status = path.replace(/\/(log|status)(\?.*)?$/, '/status')
    const headers = { Authorization: `PVEAPIToken=${this.sim.tokenId}=${this.sim.tokenSecret}` }
    for (let i = 0; i < 2000; i++) {
      const { body } = await this.send('GET', status, headers, Buffer.alloc(0))
      if ((body as { data?: { status?: string } }).data?.status !== 'running') return
      await sleep(2)
    }
  }

  private async settle(body: unknown): Promise<void> {
    const upid = (body as { data?: unknown }).data
    if (typeof upid === 'string')
      await this.waitForTask(`/api2/json/nodes/pve/tasks/${encodeURIComponent(upid)}/status`)
  }

  /** The worker dies when the recording goes on after its death. */
  private async kill(afterMs = 30): Promise<void> {
    if (afterMs > 0) await sleep(afterMs)
    if (this.doomed !== undefined) await this.sim.killTask(this.doomed)
    this.doomed = undefined
  }
}

/** The recordings say in a note or in the title whose worker was killed, and when. */
function isKilledLater({ note, title }: Exchange): boolean {
  if (/killed with SIGKILL/.test(note ?? '')) return true
  return (
    /^7 long create|(killed as soon as|killed together|it was killed there).*: (create|upload)$/.test(title) ||
    /it was killed there/.test(note ?? '')
  )
}

function isAfterKill(title: string): boolean {
  return title.startsWith('7 ') ? title.startsWith('7 after a kill') : !/before the kill/.test(title)
}

function taskIn(body: unknown): string | undefined {
  const upid = (body as { data?: unknown }).data
  return typeof upid === 'string' ? upid : undefined
}

const recordedChecksum = '4196782e691005f27f27ec746b2eaba29f72d86359544bf040e2828992801d27'

/** As the recorder wrote it: with the exclamation mark of token ids too. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('!', '%21')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The recorder shortened long bodies and said how long they were. */
function expand(body: string): string {
  const [, start, last = '', bytes] = /^(.*(.))\.\.\.<(\d+) bytes in all>$/s.exec(body) ?? []
  return start === undefined ? body : start.padEnd(Number(bytes), last)
}

function multipart(parts: readonly (readonly [string, string])[]): { type: string; body: Buffer } {
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

function compare(exchange: Exchange, answer: Answer, back: (text: string) => string): Outcome {
  const { response, request } = exchange
  const body = parse(back(JSON.stringify(answer.body)))
  const isText = typeof response.body === 'string'
  const wanted = {
    status: response.status,
    reason: normaliseText(response.reason ?? ''),
    body: isText ? normaliseText(bodyText(request.method, response.body)) : normalise(response.body),
  }
  const seen = {
    status: answer.status,
    reason: normaliseText(back(answer.reason ?? '')),
    body:
      typeof body === 'string' || isText
        ? normaliseText(bodyText(request.method, typeof body === 'string' ? body : JSON.stringify(body)))
        : normalise(body),
  }
  const [left, right] = [JSON.stringify(wanted), JSON.stringify(seen)]
  return { exchange, agrees: left === right, difference: left === right ? '' : `recorded ${left}\n     lab ${right}` }
}

/** The recorder kept the head of answers to HEAD where others have a body. */
function bodyText(method: string, body: unknown): string {
  if (method === 'HEAD') return ''
  const text = String(body)
  return text.startsWith('<!DOCTYPE html>') ? '<page>' : text
}
