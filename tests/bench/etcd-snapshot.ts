import { createDirectDialer } from '../../src/reach/direct.js'
import { connectTalos } from '../../src/talos/api/connect.js'
import { MachineService } from '../../src/wire/machine/machine_pb.js'
import { startTalosServer } from '../support/talos-server.js'

const mebibyte = 1024 ** 2
const size = 500 * mebibyte
const chunk = Buffer.alloc(32 * 1024, 7)

/** A 500 MB etcd snapshot goes through the client; the value is how much more memory both ends had while it did. */
export default { name: 'a 500 MB etcd snapshot: extra memory of the process', run }

async function run(): Promise<{ value: number; limit: number; unit: string }> {
  const server = await startTalosServer((router) => router.service(MachineService, { etcdSnapshot: sendSnapshot }))
  const port = connectTalos({
    dialer: createDirectDialer(),
    clock: { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} },
    credentials: async () => ({ ca: server.ca.crt, ...server.admin }),
  })
  try {
    const node = port.node({ machine: 'dev-cp-1', address: '127.0.0.1', port: server.port })
    const before = process.memoryUsage.rss()
    let peak = before
    let received = 0
    for await (const bytes of node.etcd.snapshot(new AbortController().signal)) {
      received += bytes.length
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    if (received !== size) throw new Error(`${received} bytes of ${size} arrived.`)
    return { value: Math.round((peak - before) / mebibyte), limit: 100, unit: 'MB' }
  } finally {
    await port.close()
    await server.close()
  }
}

async function* sendSnapshot() {
  for (let sent = 0; sent < size; sent += chunk.length) yield { bytes: chunk }
}
