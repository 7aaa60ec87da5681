import { request as httpsRequest } from 'node:https'
import { createSimClock, type SimClock } from '../../core/clock.js'
import { createFaults, type Faults } from '../../core/faults.js'
import { createLedger, type Ledger } from '../../core/ledger.js'
import { claimLoopback } from '../../core/loopback-range.js'
import { createLabNetwork } from '../../core/network.js'
import type { Topology } from '../../core/topology.js'
import { createProxmoxSim, type ProxmoxSim, type ProxmoxSimOptions } from '../index.js'
import { createIdleGuests, type IdleGuests } from './idle-guest.js'

const GiB = 1024 ** 3

export interface ApiAnswer {
  readonly status: number
  readonly reason: string
  readonly data: unknown
  readonly message: string
  readonly errors: Record<string, string>
  readonly text: string
}

/** A lab with two hosts for tests, with a plain client that shares no code with ours. */
export interface SmallLab {
  readonly sim: ProxmoxSim
  readonly guests: IdleGuests
  readonly faults: Faults
  readonly ledger: Ledger
  readonly clock: SimClock
  api(
    method: string,
    path: string,
    form?: Record<string, string | number>,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer>
  /** Calls, and waits for the task; returns its exit status. */
  task(method: string, path: string, form?: Record<string, string | number>): Promise<string>
  raw(method: string, path: string, body: Buffer | string, headers: Record<string, string>): Promise<ApiAnswer>
  close(): Promise<void>
}

export const smallTopology: Topology = {
  hosts: ['pve1', 'pve2'].map((name, i) => ({
    name,
    address: `10.0.10.${i + 2}`,
    cpus: 16,
    memory: 64 * GiB,
    bridges: [{ name: 'vmbr0', cidr: `10.0.10.${i + 2}/24`, gateway: '10.0.10.1', vlanAware: true }],
  })),
  storages: [
    { id: 'local', type: 'dir', content: ['iso', 'import', 'vztmpl', 'backup'], shared: false, total: 100 * GiB },
    { id: 'local-lvm', type: 'lvmthin', content: ['images', 'rootdir'], shared: false, total: 500 * GiB },
  ],
  pciMappings: [],
  dhcp: [],
  guests: [],
  quorumDevice: true,
}

export async function startSmallLab(
  overrides: Partial<ProxmoxSimOptions> & { speed?: number } = {},
): Promise<SmallLab> {
  const clock = createSimClock({ speed: overrides.speed ?? 1000 })
  const guests = createIdleGuests()
  const faults = createFaults()
  const ledger = createLedger()
  const range = await claimLoopback()
  const network = createLabNetwork({ scopes: [], prefix: range.prefix })
  const sim = await createProxmoxSim({
    topology: smallTopology,
    clock,
    network,
    guests,
    faults,
    ledger,
    seed: 1,
    pve: 9,
    statisticsDelayMs: 0,
    ...overrides,
  })
  const base = new URL(sim.endpoint)

  const raw: SmallLab['raw'] = (method, path, body, headers) =>
    new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          host: base.hostname,
          port: base.port,
          path: path.startsWith('/api2') ? path : `/api2/json${path}`,
          method,
          ca: sim.ca,
          agent: false,
          headers,
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('error', reject)
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('end', () =>
            resolve(
              answerOf(incoming.statusCode ?? 0, incoming.statusMessage ?? '', Buffer.concat(chunks).toString('utf8')),
            ),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  const api: SmallLab['api'] = (method, path, form, headers = {}) => {
    const encoded = new URLSearchParams(
      Object.entries(form ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString()
    const inQuery = (method === 'GET' || method === 'DELETE') && encoded !== ''
    const body = inQuery ? '' : encoded
    const length: Record<string, string> =
      method === 'GET' || method === 'DELETE'
        ? {}
        : { 'Content-Length': String(Buffer.byteLength(body)), 'Content-Type': 'application/x-www-form-urlencoded' }
    return raw(method, inQuery ? `${path}?${encoded}` : path, body, {
      Authorization: `PVEAPIToken=${sim.tokenId}=${sim.tokenSecret}`,
      ...length,
      ...headers,
    })
  }

  const task: SmallLab['task'] = async (method, path, form) => {
    const { data, message } = await api(method, path, form)
    if (typeof data !== 'string') throw new Error(`${method} ${path}: ${message}`)
    const node = data.split(':')[1] ?? ''
    for (let i = 0; i < 500; i++) {
      const state = (await api('GET', `/nodes/${node}/tasks/${encodeURIComponent(data)}/status`)).data as {
        status: string
        exitstatus?: string
      }
      if (state.status === 'stopped') return state.exitstatus ?? ''
    }
    throw new Error(`${data} does not end`)
  }

  return {
    sim,
    guests,
    faults,
    ledger,
    clock,
    api,
    task,
    raw,
    close: async () => {
      await sim.close()
      clock.stop()
      await range.release()
    },
  }
}

function answerOf(status: number, reason: string, text: string): ApiAnswer {
  let body: { data?: unknown; message?: string; errors?: Record<string, string> } = {}
  try {
    body = JSON.parse(text)
  } catch {
    // Some responses of the original have no body, or plain text.
  }
  return { status, reason, data: body.data, message: body.message ?? '', errors: body.errors ?? {}, text }
}
