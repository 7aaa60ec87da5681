import { aCluster } from '../../src/simulator/talos/testing/a-cluster.js'
import {
  aLab,
  credentialsOf,
  macOf,
  type NodeClients,
  type TestLab,
  until,
} from '../../src/simulator/talos/testing/a-lab.js'

const nodes = 200
const callsPerSecond = 100
const seconds = Number(process.env.ICHOR_BENCH_SECONDS ?? 60)
const mebibyte = 1024 ** 2

/** 200 simulated nodes in one process take 100 calls a second for a minute; the value is the most memory the process had. */
export default {
  name: `${nodes} simulated Talos nodes, ${callsPerSecond} calls/s for ${seconds} s: memory of the process`,
  run,
}

async function run(): Promise<{ value: number; limit: number; unit: string }> {
  const lab = await aLab({ speed: 10 })
  try {
    const clients = await bootAll(lab)
    const peak = await callFor(clients)
    return { value: Math.round(peak / mebibyte), limit: 1000, unit: 'MB' }
  } finally {
    await lab.close()
  }
}

async function bootAll(lab: TestLab): Promise<NodeClients[]> {
  const cluster = aCluster()
  const admin = credentialsOf(cluster.os, cluster.client(['os:admin']))
  const addresses = Array.from({ length: nodes }, (_, n) => `10.5.0.${n + 2}`)
  addresses.forEach((address, n) => {
    const role = n < 3 ? 'controlplane' : 'worker'
    const config = cluster.config({ name: `node-${n}`, role, mac: macOf(5000 + n), cidr: `${address}/24` })
    lab.boot({ name: `node-${n}`, vmid: 5000 + n, seed: { 'user-data': config } })
  })
  await until('all nodes answer', () => addresses.every((address) => lab.network.resolve(address, 50000) !== undefined))
  return addresses.map((address) => lab.clients(address, admin))
}

/** Calls go out on the beat, whether the last one has been answered or not; a failed call fails the bench. */
async function callFor(clients: readonly NodeClients[]): Promise<number> {
  const calls: Promise<unknown>[] = []
  let peak = 0
  const start = performance.now()
  for (let n = 0; n < seconds * callsPerSecond; n++) {
    const client = clients[n % clients.length]
    if (client !== undefined) calls.push(n % 2 === 0 ? client.machine.version({}) : client.machine.serviceList({}))
    peak = Math.max(peak, process.memoryUsage.rss())
    const due = start + ((n + 1) * 1000) / callsPerSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  await Promise.all(calls)
  const took = (performance.now() - start) / 1000
  if (took > seconds * 1.1) throw new Error(`The calls took ${took.toFixed(1)} s instead of ${seconds} s.`)
  return peak
}
