import { request } from 'node:https'
import type { Lab } from '../../src/simulator/index.js'

type Form = Readonly<Record<string, string | number>>

/** An administrator at the web interface: root with a password, so that the ledger keeps these calls apart from those of ichor. */
export interface Hand {
  call<T = unknown>(method: string, path: string, form?: Form): Promise<T>
  /** A call that starts a worker, and the worker's end. */
  work(method: string, path: string, form?: Form): Promise<void>
}

interface Ticket {
  readonly ticket: string
  readonly CSRFPreventionToken: string
}

/** An API that hangs does not stop the sequence. */
const patienceMs = 10_000

export const handUser = 'root@pam'

export function aHand(lab: Lab): Hand {
  /** A ticket lives for two hours of the lab, which are seconds here: each call has its own. */
  const headers = async () => {
    const login = { username: handUser, password: lab.proxmox.rootPassword }
    const { ticket, CSRFPreventionToken } = await ask<Ticket>(lab, 'POST', '/access/ticket', login, {})
    return { Cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, CSRFPreventionToken }
  }
  const call = async <T>(method: string, path: string, form: Form = {}) =>
    ask<T>(lab, method, path, form, await headers())
  return {
    call,
    work: async (method, path, form) => {
      const upid = await call<string>(method, path, form)
      const host = upid.split(':')[1] ?? ''
      for (let looks = 0; looks < 2000; looks++) {
        const { status } = await call<{ status: string }>(
          'GET',
          `/nodes/${host}/tasks/${encodeURIComponent(upid)}/status`,
        )
        if (status === 'stopped') return
        await lab.clock.sleep(2000)
      }
    },
  }
}

function ask<T>({ proxmox, network }: Lab, method: string, path: string, form: Form, headers: object): Promise<T> {
  const body = new URLSearchParams(
    Object.entries(form).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  const url = new URL(`${onlineEndpoint(proxmox.endpoints, network)}/api2/json${path}`)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        ca: proxmox.ca,
        agent: false,
        headers: {
          ...headers,
          ...(method === 'GET' || method === 'DELETE'
            ? {}
            : { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('error', reject)
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')).data)
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${answer.statusMessage}`))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error(`${method} ${path}: no answer`)))
    outgoing.end(method === 'GET' || method === 'DELETE' ? undefined : body)
  })
}

/** Any host that answers. */
function onlineEndpoint(endpoints: Readonly<Record<string, string>>, network: Lab['network']): string {
  const found = Object.values(endpoints).find((endpoint) => {
    const { hostname, port } = new URL(endpoint)
    return network.resolve(hostname, Number(port)) !== undefined
  })
  if (found === undefined) throw new Error('No host of the lab is online.')
  return found
}
