import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { UsageError } from '../errors.js'
import type { FaultRule, Lab, LedgerEntry, SavedLab, ServedRequest } from '../simulator/index.js'
import type { FaultOptions } from './faults/define-fault.js'
import { applyFault } from './faults/index.js'
import type { LabInfo } from './lab-file.js'

/** The controls of a lab in another process. */
export interface LabControl {
  status(): Promise<LabStatus>
  log(since: number): Promise<readonly ServedRequest[]>
  /** Who did what when, as the lab recorded it. */
  ledger(): Promise<readonly LedgerEntry[]>
  save(): Promise<SavedLab>
  /** The addresses on this computer that stand for these of the lab. */
  loopbacksOf(addresses: readonly string[]): Promise<readonly string[]>
  /** Starts a fault, or ends one: `hang`, `wake`. */
  fault(name: string, options: FaultOptions): Promise<void>
  /** The rules for requests. */
  faults(): Promise<readonly (FaultRule & { id: number; hits: number })[]>
  clearFaults(): Promise<void>
  stop(): Promise<void>
}

export interface LabStatus {
  readonly nodes: readonly { readonly name: string; readonly address: string; readonly loopback: string }[]
  readonly hosts: Readonly<Record<string, string>>
  readonly requests: number
  readonly unknown: readonly string[]
  readonly now: number
}

type Orders = { [Name in keyof LabControl]: (...args: Parameters<LabControl[Name]>) => unknown }

function ordersFor(lab: Lab, stop: () => void): Orders {
  const { proxmox, faults, network, talos } = lab
  return {
    status: (): LabStatus => ({
      nodes: talos.machines().flatMap(({ hostname, addresses }) =>
        addresses.slice(0, 1).map((cidr) => {
          const address = cidr.split('/')[0] ?? cidr
          return { name: hostname, address, loopback: network.loopbackOf(address) }
        }),
      ),
      hosts: proxmox.endpoints,
      requests: proxmox.requests().length,
      unknown: proxmox.unknown(),
      now: lab.clock.now(),
    }),
    log: (since) => proxmox.requests().slice(since),
    ledger: () => lab.ledger.entries(),
    save: () => lab.save(),
    loopbacksOf: (addresses) => addresses.map((address) => network.loopbackOf(address)),
    fault: (name, options) => applyFault(lab, name, options),
    faults: () => faults.list(),
    clearFaults: () => faults.clear(),
    stop,
  }
}

/** Opens the control socket of a lab. */
export async function openControl(lab: Lab, path: string, stop: () => void): Promise<Server> {
  await rm(path, { force: true })
  const server = createServer((incoming, response) => {
    // The lab closes its connections when it stops: the response must be sent before.
    const orders = ordersFor(lab, () => void response.once('close', stop))
    void dispatch(orders, incoming).then(
      (answer) => response.end(JSON.stringify({ answer: answer ?? null })),
      (error: unknown) =>
        response.writeHead(500).end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) })),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return server
}

async function dispatch(orders: Orders, incoming: IncomingMessage): Promise<unknown> {
  const { order, args } = JSON.parse(await textOf(incoming)) as { order: keyof LabControl; args: never[] }
  const run = orders[order] as ((...given: never[]) => unknown) | undefined
  if (run === undefined) throw new Error(`The lab has no command "${order}".`)
  return run(...args)
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** The controls of a lab that runs in another process. */
export function controlLab({ control }: LabInfo): LabControl {
  const order =
    (name: string) =>
    (...args: unknown[]) =>
      send(control, name, args)
  return new Proxy({} as LabControl, { get: (_, name) => (name === 'then' ? undefined : order(String(name))) })
}

function send(socketPath: string, order: string, args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method: 'POST', path: '/', agent: false }, (incoming) => {
      textOf(incoming)
        .then((text) => JSON.parse(text) as { answer?: unknown; error?: string })
        .then(({ answer, error }) => (error === undefined ? resolve(answer) : reject(refused(error))))
        .catch(reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ order, args }))
  })
}

function refused(problem: string): UsageError {
  return new UsageError(problem, { where: 'the running lab', fix: 'ichor lab status shows its hosts and machines.' })
}
