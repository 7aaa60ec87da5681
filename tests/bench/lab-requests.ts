import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startLab } from '../../src/simulator/index.js'
import { aTopology } from '../support/lab.js'

const hosts = 50
const guests = 2000
const seconds = 10
const GiB = 1024 ** 3

interface Target {
  readonly endpoint: string
  readonly token: string
}

/** A large site in a lab, asked by a thread of its own over connections that stay open. */
export default {
  name: 'requests that a lab serves',
  async run() {
    const lab = await startLab({
      speed: 1,
      topology: aTopology({ hosts, guests: Array.from({ length: guests }, guest) }),
    })
    try {
      const { endpoint, tokenId, tokenSecret } = lab.proxmox
      const asking = new Worker(new URL(import.meta.url), {
        workerData: { endpoint, token: `${tokenId}=${tokenSecret}` },
      })
      const [{ served, failed }] = await once(asking, 'message')
      await asking.terminate()
      if (failed > 0) throw new Error(`${failed} requests failed`)
      const name = `a lab of ${hosts} hosts and ${guests} VMs`
      return { name, value: Math.round(served / seconds), limit: 1000, unit: 'requests/s', atLeast: true }
    } finally {
      await lab.close()
    }
  },
}

function guest(_: unknown, index: number) {
  return {
    vmid: 10_000 + index,
    name: `guest-${index}`,
    host: `pve${(index % hosts) + 1}`,
    cpus: 1,
    memory: GiB,
    disk: 8 * GiB,
    running: index % 2 === 0,
  }
}

/** Sixteen at once, each VM in turn, until the time is over. */
async function ask({ endpoint, token }: Target) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false })
  const until = performance.now() + seconds * 1000
  let [served, failed, next] = [0, 0, 0]
  const one = async () => {
    while (performance.now() < until) {
      const { vmid, host } = guest(undefined, next++ % guests)
      const path = `${endpoint}/api2/json/nodes/${host}/qemu/${vmid}/config`
      const isOk = await isAnswered(path, agent, token)
      if (isOk) served++
      else failed++
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
  agent.destroy()
  return { served, failed }
}

function isAnswered(path: string, agent: Agent, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(path, { agent, headers: { authorization: `PVEAPIToken=${token}` } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200))
    })
    asked.on('error', () => resolve(false))
    asked.end()
  })
}

if (!isMainThread) parentPort?.postMessage(await ask(workerData))
