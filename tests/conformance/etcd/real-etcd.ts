import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** A real etcd with one member on loopback, spoken to through its JSON gateway. */
export interface RealEtcd {
  /** All puts and deletes of one call share a revision. */
  change(operations: readonly Operation[]): Promise<void>
  compact(): Promise<void>
  defragment(): Promise<void>
  count(prefix: string): Promise<number>
  /** The snapshot as etcd streams it, its hash at the end. */
  snapshot(): AsyncIterable<Uint8Array>
  stop(): Promise<void>
}

export type Operation =
  | { readonly put: string; readonly value: string | Buffer }
  | { readonly delete: string; readonly isPrefix?: boolean }

/** Starts etcd on a data folder that is empty or was restored. */
export async function startEtcd(tools: string, folder: string): Promise<RealEtcd> {
  const [client, peer] = [await freePort(), await freePort()]
  const log = openSync(join(folder, 'etcd.log'), 'a')
  const child = spawn(
    join(tools, 'etcd'),
    [
      `--data-dir=${join(folder, 'data')}`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync=true',
      '--max-request-bytes=10000000',
      '--max-txn-ops=1000',
    ],
    { stdio: ['ignore', log, log] },
  )
  closeSync(log)
  const call = (path: string, body: unknown) => post(client, path, body)
  await waitUntilReady(child, call, join(folder, 'etcd.log'))
  return {
    change: async (operations) => void (await call('/v3/kv/txn', { success: operations.map(requestOf) })),
    compact: async () => {
      const { header } = await call('/v3/kv/range', { key: base64('x') })
      await call('/v3/kv/compaction', { revision: header?.revision, physical: true })
    },
    defragment: async () => void (await call('/v3/maintenance/defragment', {})),
    count: async (prefix) => {
      const range = { key: base64(prefix || '\0'), range_end: base64(prefix === '' ? '\0' : endOf(prefix)) }
      return Number((await call('/v3/kv/range', { ...range, count_only: true })).count ?? 0)
    },
    snapshot: () => snapshotOf(client),
    stop: () => stop(child),
  }
}

/** What etcdutl prints; throws with its complaint when it fails. */
export function etcdutl(tools: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(tools, 'etcdutl'), args, { encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`etcdutl ${args.join(' ')}: ${stderr.trim().slice(-500)}`)
}

function requestOf(operation: Operation): unknown {
  if ('put' in operation) return { request_put: { key: base64(operation.put), value: base64(operation.value) } }
  const { delete: key, isPrefix } = operation
  return { request_delete_range: { key: base64(key), ...(isPrefix ? { range_end: base64(endOf(key)) } : {}) } }
}

function base64(value: string | Buffer): string {
  return Buffer.from(value).toString('base64')
}

/** The first key behind a prefix. */
function endOf(prefix: string): Buffer {
  const end = Buffer.from(prefix)
  end[end.length - 1] = (end.at(-1) ?? 0) + 1
  return end
}

interface Answer {
  readonly header?: { readonly revision: string }
  readonly count?: string
}

async function post(port: number, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

/** The gateway sends a JSON value a line, each with a part of the file. */
async function* snapshotOf(port: number): AsyncGenerator<Uint8Array> {
  const response = await fetch(`http://127.0.0.1:${port}/v3/maintenance/snapshot`, { method: 'POST', body: '{}' })
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const { result } = JSON.parse(line) as { result: { blob?: string } }
      if (result.blob !== undefined) yield Buffer.from(result.blob, 'base64')
    }
  }
}

async function waitUntilReady(
  child: ChildProcess,
  call: (path: string, body: unknown) => Promise<Answer>,
  log: string,
): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (child.exitCode !== null) break
    if (
      await call('/v3/kv/range', { key: base64('x') }).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await stop(child)
  throw new Error(`etcd did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(patience)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
