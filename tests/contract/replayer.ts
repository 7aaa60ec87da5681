import { createHash } from 'node:crypto'
import type { ProxmoxSim } from '../../src/simulator/proxmox/index.js'
import { differenceInReadBack, differenceOf } from './compare.js'
import { files, recordedBigSize } from './files.js'
import { deaths, isAfterKill, isAfterTheEnd, isKilledLater, isUserConfigHeld, pauses } from './moments.js'
import { secretOf } from './people.js'
import type { RecordedClock } from './recorded-clock.js'
import type { Exchange } from './recording.js'
import type { Action, Unrecorded } from './unrecorded/actions.js'
import { type Answer, multipart, type Sent, send } from './wire.js'

/** Sends recorded requests to a lab, with what is different there in place of what was recorded. */
export class Replayer {
  private sim: ProxmoxSim
  private readonly clock: RecordedClock
  private readonly substitutes = new Map<string, string>()
  private ticket = ''
  private csrf = ''
  private doomed: Death | undefined
  private release: (() => void) | undefined

  constructor(sim: ProxmoxSim, clock: RecordedClock, filesUrl: string) {
    this.sim = sim
    this.clock = clock
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
    const { body } = await this.send('POST', '/api2/json/access/ticket', formType, form)
    const { ticket, CSRFPreventionToken } = (body as { data: Record<string, string> }).data
    this.ticket = ticket ?? ''
    this.csrf = CSRFPreventionToken ?? ''
  }

  /** Does what the recorder did without keeping it. */
  async redo({ done, shownBy }: Unrecorded): Promise<void> {
    for (const action of done)
      await this.act(action).catch((error: unknown) => {
        throw new Error(`What is shown by ${shownBy} cannot be done.`, { cause: error })
      })
  }

  /** Makes a call, and waits until its task has ended. */
  async act({ method, path, form, file, by = this.sim.tokenId }: Action): Promise<void> {
    const who = by === 'root@pam' ? this.rootTicket() : { Authorization: `PVEAPIToken=${by}=${this.secretOf(by)}` }
    const upload = file === undefined ? undefined : multipart(file)
    const body = upload?.body ?? Buffer.from(new URLSearchParams(form).toString())
    const type = upload === undefined ? formType : { 'Content-Type': upload.type }
    const headers = body.length === 0 ? who : { ...who, ...type }
    const answer = await send(this.sim, this.clock, { method, path: `/api2/json${path}`, headers, body })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.reason}`)
    const upid = taskIn(answer.body)
    if (upid !== undefined) await this.waitForTask(`/api2/json/nodes/pve/tasks/${encodeURIComponent(upid)}/status`)
  }

  /** What is there, for an administrator. */
  async find(path: string): Promise<Record<string, unknown> | undefined> {
    const { status, body } = await this.send('GET', `/api2/json${path}`, this.ownToken(), '')
    return status === 200 ? (body as { data: Record<string, unknown> }).data : undefined
  }

  /** How the lab's answer differs from the recorded one; empty when it does not. */
  async replay(exchange: Exchange): Promise<string> {
    const { request, response } = exchange
    await this.clock.passTo(this.clock.now() + (pauses[exchange.title] ?? 0))
    if (this.doomed !== undefined && isAfterKill(exchange.title)) await this.kill(this.doomed)
    this.holdUserConfig(isUserConfigHeld(exchange))
    await this.clock.passTo(this.momentOf(exchange))
    const path = this.substitute(request.path)
    if (isAfterTheEnd(exchange.title)) await this.waitForTask(path)
    const { headers, body } = this.prepare(request)
    const answer = await send(this.sim, this.clock, { method: request.method, path, headers, body })
    this.learn(response.body, answer.body)
    const upid = taskIn(answer.body)
    if (isKilledLater(exchange) && upid !== undefined) this.doomed = { upid, ...deathOf(exchange) }
    const difference = differenceOf(exchange, answer, (text) => this.back(text))
    return difference === '' ? this.readBack(exchange, answer) : difference
  }

  /** What is refused after a while was asked that while before; else the work is done at the end of the time it took. */
  private momentOf({ at, isAtOnce, response: { status, seconds = 0 } }: Exchange): number {
    if (isAtOnce) return this.clock.now()
    if (status !== 200 && seconds > 1) return at - seconds * 1000
    return Math.max(at, this.clock.now() + Math.min(seconds * 1000, 500))
  }

  private holdUserConfig(isHeld: boolean): void {
    if (isHeld) this.release ??= this.sim.holdUserConfig()
    else if (this.release !== undefined) {
      this.release()
      this.release = undefined
    }
  }

  private substitute(text: string): string {
    let result = text
    for (const [recorded, actual] of this.substitutes) result = result.replaceAll(recorded, actual)
    return result
  }

  /** Recorded checksums and sizes in place of ours, so that answers that repeat them agree. */
  private back(text: string): string {
    return text
      .replaceAll(this.substitutes.get(recordedChecksum) ?? '', recordedChecksum)
      .replaceAll(String(files['big.iso']?.length), String(recordedBigSize))
  }

  private prepare({ headers, body }: Exchange['request']): Pick<Sent, 'headers' | 'body'> {
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
    const secret = this.secretOf(/([^\s=]+![^=:]+)/.exec(decodeURIComponent(value))?.[1] ?? '')
    return value.replace('<SECRET IN UPPER CASE>', secret.toUpperCase()).replace(/<secret>|<redacted>/, secret)
  }

  private secretOf(token: string): string {
    return token === this.sim.tokenId ? this.sim.tokenSecret : secretOf(token)
  }

  private rootTicket(): Record<string, string> {
    return { Cookie: `PVEAuthCookie=${encodeURIComponent(this.ticket)}`, CSRFPreventionToken: this.csrf }
  }

  private ownToken(): Record<string, string> {
    return { Authorization: `PVEAPIToken=${this.sim.tokenId}=${this.sim.tokenSecret}` }
  }

  private send(method: string, path: string, headers: Record<string, string>, body: string): Promise<Answer> {
    return send(this.sim, this.clock, { method, path, headers, body: Buffer.from(body) })
  }

  /** Values that the lab chose itself are what later requests must name. */
  private learn(recorded: unknown, actual: unknown): void {
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (recorded === actual || !/^(UPID:|[0-9a-f]{40}$)/.test(recorded)) return
      this.substitutes.set(recorded, actual)
      this.substitutes.set(encode(recorded), encode(actual))
      return
    }
    if (!isRecord(recorded) || !isRecord(actual)) return
    for (const [key, value] of Object.entries(recorded)) this.learn(value, actual[key])
  }

  /** Lets time pass until the task that the path names has ended. */
  private async waitForTask(path: string): Promise<void> {
    const status = path.replace(/\/(log|status)(\?.*)?$/, '/status')
    for (let i = 0; i < 2000; i++) {
      const { body } = await this.send('GET', status, this.ownToken(), '')
      if ((body as { data?: { status?: string } }).data?.status !== 'running') return
      await this.clock.passToNext()
    }
    throw new Error(`The task of ${status} does not end.`)
  }

  /** What the configuration of the VM was after the change. */
  private async readBack({ request, readBack = {} }: Exchange, answer: Answer): Promise<string> {
    const [, config] = /^\/api2\/json(\/nodes\/pve\/qemu\/\d+\/config)$/.exec(request.path) ?? []
    if (config === undefined || Object.keys(readBack).length === 0) return ''
    const upid = taskIn(answer.body)
    if (upid !== undefined) await this.waitForTask(`/api2/json/nodes/pve/tasks/${encodeURIComponent(upid)}/status`)
    const now = (await this.find(config)) ?? {}
    return differenceInReadBack(
      readBack,
      Object.fromEntries(Object.keys(readBack).map((key) => [key, now[key] ?? '<absent>'])),
    )
  }

  /** The worker dies at its time after what was last seen of it. */
  private async kill({ upid, afterMs, withPrograms }: Death): Promise<void> {
    await this.clock.passTo(this.clock.now() + afterMs)
    await this.sim.killTask(upid, { withPrograms })
    this.doomed = undefined
  }
}

interface Death {
  readonly upid: string
  readonly afterMs: number
  readonly withPrograms: boolean
}

/** When a worker dies, and whether what it had started dies with it. */
function deathOf({ title }: Exchange): Omit<Death, 'upid'> {
  return { afterMs: deaths[title] ?? 500, withPrograms: title.includes('killed together') }
}

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }

function taskIn(body: unknown): string | undefined {
  const upid = isRecord(body) ? body.data : undefined
  return typeof upid === 'string' && upid.startsWith('UPID:') ? upid : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const recordedChecksum = '4196782e691005f27f27ec746b2eaba29f72d86359544bf040e2828992801d27'

/** As the recorder wrote it: with the exclamation mark of token ids too. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('!', '%21')
}

/** The recorder shortened long bodies and said how long they were. */
function expand(body: string): string {
  const [, start, last = '', bytes] = /^(.*(.))\.\.\.<(\d+) bytes in all>$/s.exec(body) ?? []
  return start === undefined ? body : start.padEnd(Number(bytes), last)
}
