import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimClock } from '../../../src/simulator/core/clock.js'
import { createFaults } from '../../../src/simulator/core/faults.js'
import { createLedger } from '../../../src/simulator/core/ledger.js'
import { createKubernetesKind } from '../../../src/simulator/kubernetes/index.js'
import { aCluster } from '../../../src/simulator/talos/testing/a-cluster.js'
import { aLab, macOf, until } from '../../../src/simulator/talos/testing/a-lab.js'
import { adminOf, bootstrap, isOpen, stageOf } from '../../../src/simulator/talos/testing/a-node.js'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** What a node runs before anybody touches it. */
const talos = 'v1.13.9'
export const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'

/** Three control planes and a worker with a Kubernetes of the lab, and a talosconfig for them. */
export async function startCluster() {
  // A reboot takes five real seconds: talosctl looks away for one second when services stop, and would miss a faster one.
  const clock = createSimClock({ speed: 6 })
  const faults = createFaults()
  const ledger = createLedger()
  const kubernetes = createKubernetesKind({ clock, faults, ledger })
  const lab = await aLab({ clock, faults, ledger, kubernetes })
  const addresses = ['10.5.0.2', '10.5.0.3', '10.5.0.4', '10.5.0.20']
  const [first = ''] = addresses
  const cluster = aCluster(`https://${lab.network.loopbackOf(first)}:6443`)
  for (const [n, address] of addresses.entries()) {
    const vmid = 2000 + n
    const isWorker = address === addresses.at(-1)
    const name = isWorker ? 'worker-1' : `cp-${n + 1}`
    const role = isWorker ? 'worker' : 'controlplane'
    const config = cluster.config({ name, role, mac: macOf(vmid), cidr: `${address}/24` })
    lab.boot({ name, vmid, medium: { talos, schematic }, seed: { 'user-data': config } })
  }
  await until('every API is open', () => addresses.every((address) => isOpen(lab, address)))
  await bootstrap(adminOf(lab, cluster, first))
  const admins = addresses.map((address) => adminOf(lab, cluster, address))
  await until('every machine runs', async () => {
    const stages = await Promise.all(admins.map((admin) => stageOf(admin)))
    return stages.every((stage) => stage === 'running')
  })

  const folder = mkdtempSync(join(tmpdir(), 'ichor-talosctl-'))
  const talosconfig = join(folder, 'talosconfig')
  const { crt, key } = cluster.client(['os:admin'])
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const endpoints = addresses.slice(0, 3).map((address) => `${lab.network.loopbackOf(address)}:50000`)
  const context = { endpoints, nodes: [], ca: base64(cluster.os.crt), crt: base64(crt), key: base64(key) }
  writeFileSync(talosconfig, JSON.stringify({ context: 'lab', contexts: { lab: context } }), { mode: 0o600 })

  return {
    lab,
    cluster,
    folder,
    talosconfig,
    controlPlanes: addresses.slice(0, 3),
    worker: addresses[3] ?? '',
    close: async () => {
      await lab.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
