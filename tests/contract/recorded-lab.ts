import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { createFaults } from '../../src/simulator/core/faults.js'
import { createLedger, type Ledger } from '../../src/simulator/core/ledger.js'
import { claimLoopback } from '../../src/simulator/core/loopback-range.js'
import { createLabNetwork } from '../../src/simulator/core/network.js'
import type { Topology } from '../../src/simulator/core/topology.js'
import { createProxmoxSim, type ProxmoxSim, type SavedProxmox } from '../../src/simulator/proxmox/index.js'
import { createIdleGuests, type IdleGuests } from '../../src/simulator/proxmox/testing/idle-guest.js'
import { files } from './files.js'
import { recordedOrder } from './moments.js'
import { addPeople } from './people.js'
import { createRecordedClock, type RecordedClock } from './recorded-clock.js'
import type { Restart } from './restarts.js'

const GiB = 1024 ** 3

/** The one host on which the recordings were made. */
const topology: Topology = {
  hosts: [
    {
      name: 'pve',
      address: '192.0.2.10',
      cpus: 2,
      memory: 24 * GiB,
      bridges: [{ name: 'vmbr0', cidr: '192.0.2.10/24', gateway: '192.0.2.1', vlanAware: false }],
    },
  ],
  storages: [
    {
      id: 'local',
      type: 'dir',
      content: ['iso', 'vztmpl', 'backup', 'import', 'snippets'],
      shared: false,
      total: 250 * GiB,
    },
    { id: 'vmdata', type: 'dir', content: ['images', 'rootdir'], shared: false, total: 250 * GiB },
    { id: 'elsewhere', type: 'dir', content: ['images', 'iso'], shared: false, hosts: ['othernode'], total: 250 * GiB },
    { id: 'off', type: 'dir', content: ['images'], shared: false, total: 250 * GiB },
  ],
  pciMappings: [],
  dhcp: [],
  guests: [],
}

export interface RecordedLab {
  readonly sim: ProxmoxSim
  readonly guests: IdleGuests
  readonly ledger: Ledger
  readonly clock: RecordedClock
  readonly filesUrl: string
  /** Starts the lab again with a changed state, or as another version: what was done between two recordings. */
  change(restart: Restart): Promise<void>
  close(): Promise<void>
}

/** A lab as the recordings say theirs was: storages, users, tokens and their rights. */
export async function startRecordedLab(pve: 8 | 9, startAt: number): Promise<RecordedLab> {
  const web = await serveFiles()
  const clock = createRecordedClock(startAt, web.idle)
  const range = await claimLoopback()
  const network = createLabNetwork({ scopes: [], prefix: range.prefix })
  const guests = createIdleGuests()
  const ledger = createLedger()
  const start = (saysWhyRefused: boolean, resume?: SavedProxmox) =>
    createProxmoxSim({
      topology,
      clock,
      network,
      guests,
      faults: createFaults(),
      ledger,
      seed: 1,
      pve,
      statisticsDelayMs: 5000,
      optionOrder: recordedOrder,
      saysWhyRefused,
      refusalMs: 0,
      hasKvm: false,
      qemuVersion: '7.2.22',
      ...(resume === undefined ? {} : { resume }),
    })
  let sim = await start(false)
  const lab = {
    get sim() {
      return sim
    },
    guests,
    ledger,
    clock,
    filesUrl: web.url,
    change: async ({ edit, saysWhyRefused }: Restart) => {
      const saved = sim.save()
      await sim.close()
      edit(saved.state)
      sim = await start(saysWhyRefused, saved)
    },
    close: async () => {
      await sim.close()
      clock.stop()
      web.close()
      await range.release()
    },
  }
  await lab.change({ edit: addPeople, saysWhyRefused: false })
  return lab
}

async function serveFiles(): Promise<{ url: string; idle(): Promise<void>; close(): void }> {
  let open = 0
  const server = createServer((request, response) => {
    const bytes = files[(request.url ?? '/').slice(1)]
    if (bytes === undefined) return void response.writeHead(404, 'File not found').end()
    const type = request.url?.endsWith('.iso') ? 'application/x-iso9660-image' : 'application/octet-stream'
    response
      .writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length })
      .end(request.method === 'HEAD' ? undefined : bytes)
  })
  server.on('connection', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    idle: async () => {
      while (open > 0) await turn()
    },
    close: () => server.close(),
  }
}
