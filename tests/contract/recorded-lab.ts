import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimClock } from '../../src/simulator/clock.js'
import { createFaults } from '../../src/simulator/faults.js'
import { createLedger, type Ledger } from '../../src/simulator/ledger.js'
import { claimLoopback } from '../../src/simulator/loopback-range.js'
import { createLabNetwork } from '../../src/simulator/network.js'
import { createProxmoxSim, type ProxmoxSim, type SavedProxmox } from '../../src/simulator/proxmox/index.js'
import type { DatacentreState, UserState } from '../../src/simulator/proxmox/state.js'
import { createIdleGuests, type IdleGuests } from '../../src/simulator/proxmox/testing/idle-guest.js'
import type { Topology } from '../../src/simulator/topology.js'
import { files } from './files.js'

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
  /** Token id to its secret. */
  readonly secrets: Readonly<Record<string, string>>
  readonly filesUrl: string
  /** Starts the lab again with a changed state: what was done between two recordings. */
  change(edit: (state: DatacentreState) => void): Promise<void>
  close(): Promise<void>
}

/** A lab as the recordings say theirs was: storages, users, tokens and their rights. */
export async function startRecordedLab(pve: 8 | 9): Promise<RecordedLab> {
  const clock = createSimClock({ speed: 40 })
  const range = await claimLoopback()
  const network = createLabNetwork({ scopes: [], prefix: range.prefix })
  const guests = createIdleGuests()
  const ledger = createLedger()
  const web = await serveFiles()
  const secrets: Record<string, string> = {}
  const start = (resume?: SavedProxmox) =>
    createProxmoxSim({
      topology,
      clock,
      network,
      guests,
      faults: createFaults(),
      ledger,
      seed: 1,
      pve,
      statisticsDelayMs: 0,
      refusalMs: 0,
      hasKvm: false,
      qemuVersion: '7.2.22',
      ...(resume === undefined ? {} : { resume }),
    })
  let sim = await start()
  const lab = {
    get sim() {
      return sim
    },
    guests,
    ledger,
    secrets,
    filesUrl: web.url,
    change: async (edit: (state: DatacentreState) => void) => {
      const saved = sim.save()
      await sim.close()
      edit(saved.state)
      sim = await start(saved)
    },
    close: async () => {
      await sim.close()
      clock.stop()
      web.close()
      await range.release()
    },
  }
  secrets[sim.tokenId] = sim.tokenSecret
  await lab.change((state) => addPeople(state, secrets, pve))
  return lab
}

async function serveFiles(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const bytes = files[(request.url ?? '/').slice(1)]
    if (bytes === undefined) return void response.writeHead(404, 'File not found').end()
    const type = request.url?.endsWith('.iso') ? 'application/x-iso9660-image' : 'application/octet-stream'
    response
      .writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length })
      .end(request.method === 'HEAD' ? undefined : bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const provisioner =
  'VM.Allocate VM.Audit VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt Datastore.AllocateSpace Datastore.Audit SDN.Use Sys.Audit'

function addPeople(state: DatacentreState, secrets: Record<string, string>, pve: 8 | 9): void {
  const user = (
    userid: string,
    tokens: Record<string, Partial<UserState['tokens'][string]>>,
    enable = true,
  ): UserState => ({
    userid,
    enable,
    expire: 0,
    password: 'lab-password',
    groups: [],
    details: {},
    tokens: Object.fromEntries(
      Object.entries(tokens).map(([name, options]) => {
        const secret = randomUUID()
        secrets[`${userid}!${name}`] = secret
        return [name, { secret, expire: 0, privsep: false, ...options }]
      }),
    ),
  })
  const { users, roles, acl } = state.access
  users['lim@pve'] = user('lim@pve', { tk: {}, old: { expire: 1 } })
  users['audit@pve'] = user('audit@pve', { tk: {} })
  users['prov@pve'] = user('prov@pve', { tk: {} })
  users['off@pve'] = user('off@pve', { tk: {} }, false)
  const bare = randomUUID()
  secrets['root@pam!bare'] = bare
  if (users['root@pam'] !== undefined) users['root@pam'].tokens.bare = { secret: bare, expire: 0, privsep: true }
  roles.Prov = provisioner.split(' ')
  const grant = (path: string, ugid: string, roleid: string) =>
    acl.push({ path, type: 'user', ugid, roleid, propagate: true })
  grant('/vms/100', 'lim@pve', 'PVEVMUser')
  grant('/storage/local', 'lim@pve', 'PVEDatastoreUser')
  grant('/', 'audit@pve', 'PVEAuditor')
  grant('/', 'prov@pve', 'Prov')
  state.strangers = { deadnode: 'No route to host', refusednode: 'Connection refused' }
  if (pve === 8) addLeaseUsers(state, user, grant)
  const off = state.storages.off
  if (off !== undefined) off.options.disable = '1'
}

function addLeaseUsers(
  state: DatacentreState,
  user: (userid: string, tokens: Record<string, object>) => UserState,
  grant: (path: string, ugid: string, roleid: string) => void,
): void {
  const { users } = state.access
  users['lease@pve'] = user('lease@pve', { tk: {}, second: {} })
  users['wide@pve'] = user('wide@pve', { tk: {} })
  users['leaseaud@pve'] = user('leaseaud@pve', { tk: {} })
  users['other@pve'] = user('other@pve', { tk: {} })
  void grant
}
