import { randomBytes, randomUUID } from 'node:crypto'
import type { Server } from 'node:https'
import { createServer } from 'node:https'
import type { SimClock } from '../core/clock.js'
import type { Faults } from '../core/faults.js'
import type { GuestKind } from '../core/guest.js'
import type { Ledger } from '../core/ledger.js'
import type { LabNetwork } from '../core/network.js'
import type { Topology } from '../core/topology.js'
import { createPermissions, type PassedCheck } from './access/permissions.js'
import { coversAddresses, fingerprintOf, type LabCertificate, makeCertificate } from './certificate.js'
import type { Datacenter } from './datacenter.js'
import { createVmFirewall, type VmFirewall } from './firewall/vm-firewall.js'
import { createFlocks } from './flock.js'
import { recoverHa } from './ha/manager.js'
import { createRouter } from './http/router.js'
import { type ServedRequest, type Service, serve } from './http/serve.js'
import { type Credentials, initialState } from './initial-state.js'
import { type ProxmoxTrouble, troubleFor } from './order-trouble.js'
import { countVotes, noticedMs } from './quorum.js'
import { createRandom } from './random.js'
import { routes } from './routes.js'
import { packState, type SavedProxmox, unpackState } from './saved-state.js'
import { endpointsOf } from './schema/endpoints.js'
import { createTasks } from './tasks.js'
import { createTrouble } from './trouble.js'
import { userConfigLock } from './user-config-lock.js'
import { createMachines } from './vm/machines.js'
import { afterStop, startVm } from './vm/start.js'

export type { PassedCheck } from './access/permissions.js'
export type { ServedRequest } from './http/serve.js'
export type { ProxmoxTrouble } from './order-trouble.js'
export type { SavedProxmox } from './saved-state.js'

export interface ProxmoxSimOptions {
  readonly topology: Topology
  readonly clock: SimClock
  readonly network: LabNetwork
  readonly guests: GuestKind
  readonly faults: Faults
  readonly ledger: Ledger
  readonly seed: number
  readonly pve: 8 | 9
  readonly port?: number
  /** The value of `save()`: the datacenter continues from there. */
  readonly resume?: unknown
  onKillCaller?(): void
  /** Model milliseconds until statistics show a new, started or stopped VM; 0 means at once. */
  readonly statisticsDelayMs?: number
  /** Model milliseconds that a 401 takes. */
  readonly refusalMs?: number
  /** Shown in new VMs. */
  readonly qemuVersion?: string
  /** Without it, VMs start only with `kvm: 0`. */
  readonly hasKvm?: boolean
  /** As before 8.4.17: a 401 states what is wrong with a ticket or token. */
  readonly saysWhyRefused?: boolean
  /** The order in which a change of a VM handles its options; random by default, as in the original. */
  optionOrder?(vmid: number, keys: readonly string[]): readonly string[] | undefined
}

/** A simulated Proxmox VE cluster on real sockets. */
export interface ProxmoxSim {
  /** Of the first host. */
  readonly endpoint: string
  /** One per host. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly tokenId: string
  readonly tokenSecret: string
  readonly rootPassword: string
  readonly fingerprint: string
  readonly ca: string
  requests(): readonly ServedRequest[]
  /** The privileges that requests have needed so far, each once. */
  passedChecks(): readonly PassedCheck[]
  /** Requests for paths or methods that the lab does not know. */
  unknown(): readonly string[]
  /** A loss is done once the other hosts have noticed it. */
  setHostOnline(host: string, online: boolean): Promise<void>
  /** Loses the quorum regardless of the votes; `true` lets the votes decide again. */
  setQuorate(quorate: boolean): void
  /** All hosts lose power at the same moment; `false` brings them back. */
  cutPower(isCut?: boolean): Promise<void>
  readonly trouble: ProxmoxTrouble
  /** The firewalls of VMs. */
  readonly vmFirewall: VmFirewall
  /** The host with that address. */
  hostAt(address: string): string | undefined
  /** Leaves that many bytes free, whatever it contains. */
  fillStorage(host: string, storage: string, freeBytes: number): void
  /** Its full size again, minus its contents. */
  freeStorage(host: string, storage: string): void
  /**
   * Kills the worker of a task, which leaves what such workers leave; its programs keep running unless they are killed
   * too.
   */
  killTask(upid: string, options?: { withPrograms?: boolean }): Promise<void>
  /** Another process holds the lock of users, rights and pools until the returned function is called. */
  holdUserConfig(): () => void
  save(): SavedProxmox
  close(): Promise<void>
}

export async function createProxmoxSim(options: ProxmoxSimOptions): Promise<ProxmoxSim> {
  const saved = options.resume as SavedProxmox | undefined
  const random = createRandom(saved?.random ?? options.seed)
  const credentials: Credentials = saved?.credentials ?? {
    tokenId: 'root@pam!lab',
    tokenSecret: randomUUID(),
    rootPassword: randomBytes(12).toString('base64url'),
  }
  const certificate = await certificateFor(options, saved?.certificate)
  const datacenter = assemble(options, saved, random, credentials, certificate)
  const requests: ServedRequest[] = []
  const unknown: string[] = []
  const passed = new Map<string, PassedCheck>()
  const service = serviceOf(options, datacenter, requests, unknown, passed)
  const listeners = new Map<string, Server>()
  const port = options.port ?? 8006

  const open = async (host: string) => {
    const server = createServer(
      {
        cert: certificate.certificate,
        key: certificate.key,
        minVersion: 'TLSv1.2',
        keepAliveTimeout: 5000,
        maxHeaderSize: 32 * 1024,
      },
      (message, response) => {
        void serve(service, host, message, response).catch(() => message.socket.destroy())
      },
    )
    await options.network.listen(server, addressOf(datacenter, host), port)
    listeners.set(host, server)
  }

  const shut = async (host: string) => {
    const server = listeners.get(host)
    listeners.delete(host)
    server?.closeAllConnections()
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  }

  const online = Object.values(datacenter.state.hosts).filter((host) => host.online)
  await Promise.all(online.map(({ name }) => open(name)))
  datacenter.machines.resume(saved?.guests ?? {})
  recoverHa(datacenter)
  const endpointOf = (host: string) => `https://${options.network.loopbackOf(addressOf(datacenter, host))}:${port}`
  const names = Object.keys(datacenter.state.hosts)
  const setHostOnline = async (host: string, online: boolean) => {
    const state = datacenter.state.hosts[host]
    if (state === undefined || state.online === online) return
    state.online = online
    countVotes(datacenter.state, datacenter.trouble)
    if (!online) {
      state.lostAt = options.clock.now()
      await loseHost(datacenter, host, shut)
      return options.clock.sleep(noticedMs)
    }
    state.bootedAt = options.clock.now()
    await open(host)
    startOnBoot(datacenter, host)
  }

  return {
    endpoint: endpointOf(names[0] ?? ''),
    endpoints: Object.fromEntries(names.map((name) => [name, endpointOf(name)])),
    ...credentials,
    fingerprint: datacenter.fingerprint,
    ca: certificate.ca,
    requests: () => requests,
    passedChecks: () => [...passed.values()],
    unknown: () => unknown,
    setHostOnline,
    cutPower: async (isCut = true) => {
      await Promise.all(names.map((name) => setHostOnline(name, !isCut)))
    },
    trouble: troubleFor(datacenter),
    vmFirewall: datacenter.vmFirewall,
    hostAt: (address) => Object.keys(datacenter.state.hosts).find((host) => addressOf(datacenter, host) === address),
    setQuorate: (quorate) => {
      datacenter.state.quorumIsLost = !quorate
      countVotes(datacenter.state, datacenter.trouble)
    },
    fillStorage: (host, storage, freeBytes) => {
      for (const place of [host, '']) datacenter.state.filled[`${place}|${storage}`] = freeBytes
    },
    freeStorage: (host, storage) => {
      for (const place of [host, '']) delete datacenter.state.filled[`${place}|${storage}`]
    },
    killTask: (upid, { withPrograms = false } = {}) => datacenter.tasks.kill(upid, withPrograms),
    holdUserConfig: () => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      void datacenter.locks.hold(userConfigLock, 0, () => released)
      return release
    },
    save: () => ({
      format: 1,
      pve: options.pve,
      state: packState(datacenter.state),
      guests: datacenter.machines.save(),
      certificate,
      random: random.state(),
      credentials,
    }),
    close: async () => {
      await Promise.all(names.map(shut))
      await datacenter.tasks.close()
      await datacenter.machines.close()
    },
  }
}

/** The saved certificate, unless the lab has other addresses now. */
async function certificateFor(
  { topology, network }: ProxmoxSimOptions,
  saved?: LabCertificate,
): Promise<LabCertificate> {
  const hosts = topology.hosts.map(({ name, address }) => ({
    name,
    addresses: [...new Set([address, network.loopbackOf(address)])],
  }))
  const addresses = hosts.flatMap((host) => host.addresses)
  if (saved !== undefined && coversAddresses(saved, addresses)) return saved
  return makeCertificate(hosts)
}

function addressOf({ state }: Datacenter, host: string): string {
  return state.hosts[host]?.address ?? host
}

function assemble(
  options: ProxmoxSimOptions,
  saved: SavedProxmox | undefined,
  random: Datacenter['random'],
  credentials: Credentials,
  certificate: LabCertificate,
): Datacenter {
  const { clock, ledger, pve } = options
  const state =
    saved === undefined ? initialState(options.topology, random, clock.now(), credentials) : unpackState(saved.state)
  const datacenter: Datacenter = {
    pve,
    state,
    clock,
    random,
    seed: options.seed,
    ledger,
    tasks: createTasks(state, clock),
    locks: createFlocks(clock),
    machines: createMachines(
      () => datacenter,
      options.guests,
      (vm) => {
        afterStop(datacenter, vm)
        recoverHa(datacenter, vm)
      },
    ),
    fingerprint: fingerprintOf(certificate.certificate),
    certificate: certificate.certificate,
    ca: certificate.ca,
    qemuVersion: options.qemuVersion ?? (pve === 8 ? '9.2.0' : '10.1.2'),
    hasKvm: options.hasKvm ?? true,
    trouble: createTrouble(state, clock, options.statisticsDelayMs ?? 5000),
    vmFirewall: createVmFirewall(state, clock, options.network.filters),
    saysWhyRefused: options.saysWhyRefused ?? false,
    ...(options.optionOrder === undefined ? {} : { optionOrder: options.optionOrder }),
  }
  return datacenter
}

function serviceOf(
  options: ProxmoxSimOptions,
  datacenter: Datacenter,
  requests: ServedRequest[],
  unknown: string[],
  passed: Map<string, PassedCheck>,
): Service {
  const { clock, ledger, faults, pve } = options
  return {
    datacenter,
    permissions: createPermissions(datacenter.state, pve, (check) => {
      passed.set(JSON.stringify(check), check)
    }),
    router: createRouter(endpointsOf(pve), routes),
    faults,
    refusalMs: options.refusalMs ?? 3000,
    served: (request) => {
      requests.push(request)
      const { method, path, status, mutating, user, newVmid } = request
      ledger.record({
        at: clock.now(),
        surface: 'proxmox',
        event: 'call',
        subject: `${method} ${path}`,
        mutating,
        detail: { status, user, ...(newVmid === undefined ? {} : { newVmid }) },
      })
    },
    unknown: (request) => unknown.push(request),
    killCaller: () => options.onKillCaller?.(),
  }
}

/** Cuts the power of a host: its API, workers and VMs end at once. */
async function loseHost(datacenter: Datacenter, host: string, shut: (host: string) => Promise<void>): Promise<void> {
  const { state, tasks, machines } = datacenter
  await shut(host)
  for (const task of state.tasks) if (task.host === host && task.status === 'running') await tasks.kill(task.upid, true)
  for (const vm of Object.values(state.vms)) {
    if (vm.host !== host || !vm.running) continue
    await machines.powerOff(vm)
    afterStop(datacenter, vm)
  }
  recoverHa(datacenter)
}

/** A booting host starts its `onboot` VMs. */
function startOnBoot(datacenter: Datacenter, host: string): void {
  for (const vm of Object.values(datacenter.state.vms)) {
    if (vm.host !== host || vm.running || vm.config.onboot !== '1' || vm.config.template === '1') continue
    if (datacenter.state.sections.ha?.[`vm:${vm.vmid}`] !== undefined) continue
    datacenter.tasks.start({ host, type: 'qmstart', id: String(vm.vmid), user: 'root@pam' }, (worker) =>
      startVm(datacenter, host, vm.vmid, worker),
    )
  }
}
