import { request } from 'node:https'
import type { TofuLab } from './tofu-lab.js'

/** A plain call of the Proxmox API, for what somebody does in the web interface. */
export async function call(
  { lab }: Pick<TofuLab, 'lab'>,
  method: 'GET' | 'POST',
  path: string,
  form: Readonly<Record<string, string | number | undefined>> = {},
): Promise<unknown> {
  const { endpoint, ca, tokenId, tokenSecret } = lab.proxmox
  const fields = Object.entries(form).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  )
  const body = new URLSearchParams(fields).toString()
  const content = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }
  const headers = { Authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`, ...(method === 'POST' ? content : {}) }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${endpoint}/api2/json${path}`, { method, ca, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        if (answer.statusCode === 200) resolve(JSON.parse(text).data)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? body : undefined)
  })
}
