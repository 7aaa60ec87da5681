import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A chart repository on this computer, and a registry that gives everybody a token, as public ones do. */
export interface ChartRepository {
  readonly url: string
  /** `127.0.0.1:1234`. */
  readonly host: string
  /** Bytes by path: `/traefik-41.3.0.tgz`. */
  readonly files: Map<string, string>
  close(): Promise<void>
}

export async function startChartRepository(files: Readonly<Record<string, string>>): Promise<ChartRepository> {
  const held = new Map(Object.entries(files))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/token') return void response.end(JSON.stringify({ token: 'for-everybody' }))
    const realm = `http://${request.headers.host}/token`
    if (path.startsWith('/v2/') && request.headers.authorization !== 'Bearer for-everybody') {
      const challenge = `Bearer realm="${realm}",service="here",scope="repository:pull"`
      return void response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    const text = held.get(path)
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    files: held,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** An index with one version of each of these charts, whose archives lie beside it. */
export function indexOf(charts: Readonly<Record<string, string>>): string {
  const entries = Object.entries(charts).map(
    ([name, version]) => `  ${name}:\n    - version: ${version}\n      urls: [${name}-${version}.tgz]\n`,
  )
  return `apiVersion: v1\nentries:\n${entries.join('')}`
}
