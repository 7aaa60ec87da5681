import { connect as tlsConnect } from 'node:tls'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { State } from '../../../wire/cosi/resource/state_pb.js'
import { ImageService } from '../../../wire/machine/image_pb.js'
import { LifecycleService } from '../../../wire/machine/lifecycle_pb.js'
import { MachineService } from '../../../wire/machine/machine_pb.js'
import { StorageService } from '../../../wire/storage/storage_pb.js'
import { createSimClock } from '../../core/clock.js'
import { createFaults } from '../../core/faults.js'
import type { Guest, Hardware, MediumInfo } from '../../core/guest.js'
import { createLedger } from '../../core/ledger.js'
import { claimLoopback } from '../../core/loopback-range.js'
import { encodeMedium } from '../../core/medium.js'
import { createLabNetwork } from '../../core/network.js'
import { plainIso } from '../../core/plain-iso.js'
import { createTalosGuests, type TalosGuests, type TalosGuestsOptions } from '../index.js'
import type { Issued } from '../pki/issue-certificate.js'
import { aKubernetes } from './fake-kubernetes.js'
import { sessionTo } from './http2-session.js'

export interface BootInput {
  readonly name: string
  readonly vmid?: number
  readonly mac?: string
  /** Files of a cidata volume. */
  readonly seed?: Readonly<Record<string, string>>
  readonly medium?: Partial<MediumInfo>
  readonly agent?: boolean
  readonly disks?: Hardware['disks']
  /** Further disks. */
  readonly dataDisks?: Hardware['disks']
  readonly firmware?: Hardware['firmware']
  readonly machineType?: string
}

export interface NodeClients {
  readonly machine: Client<typeof MachineService>
  readonly state: Client<typeof State>
  readonly storage: Client<typeof StorageService>
  readonly lifecycle: Client<typeof LifecycleService>
  readonly images: Client<typeof ImageService>
}

export type TestLab = Awaited<ReturnType<typeof aLab>>

/** A lab with only Talos: VMs are started by hand, time runs fast. */
export async function aLab({ speed = 500, ...more }: { speed?: number } & Partial<TalosGuestsOptions> = {}) {
  const clock = more.clock ?? createSimClock({ speed })
  const range = await claimLoopback()
  const scope = { bridge: 'vmbr0', cidr: '10.5.0.0/24', gateway: '10.5.0.1', dns: ['10.5.0.1'], poolOffset: 100 }
  const network = createLabNetwork({ scopes: [{ ...scope, reservations: [] }], prefix: range.prefix })
  const faults = more.faults ?? createFaults()
  const ledger = more.ledger ?? createLedger()
  const guests = createTalosGuests({ clock, network, kubernetes: aKubernetes(), faults, ledger, seed: 1, ...more })
  const transports: { abort(): void }[] = []

  return {
    clock,
    network,
    faults,
    ledger,
    guests,
    boot: (input: BootInput) => bootVm(guests, input),
    clients: (address: string, credentials?: { ca: string; crt: string; key: string }): NodeClients => {
      const target = network.resolve(address, 50000)
      if (target === undefined) throw new Error(`Nothing listens on ${address}:50000.`)
      const transport = transportTo(target, credentials)
      transports.push(transport)
      return clientsOver(transport.transport)
    },
    close: async () => {
      for (const transport of transports) transport.abort()
      await guests.close()
      clock.stop()
      await range.release()
    },
  }
}

/** Polls every few milliseconds until it is true; fails after ten seconds of real time. */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`It never came true: ${what}.`)
}

export function credentialsOf(ca: { crt: string }, { crt, key }: Issued) {
  return { ca: ca.crt, crt, key }
}

function aMedium(more: Partial<MediumInfo> = {}): MediumInfo {
  return {
    kind: 'disk-image',
    talos: 'v1.13.9',
    schematic: 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
    platform: 'nocloud',
    arch: 'amd64',
    extensions: ['siderolabs/qemu-guest-agent'],
    kernelArgs: [],
    secureBoot: false,
    nominalSize: 110_000_000,
    virtualSize: 1246 * 1024 ** 2,
    ...more,
  }
}

let nextVmid = 2000

function bootVm(guests: TalosGuests, input: BootInput): { guest: Guest; hardware: Hardware; offs: () => number } {
  const { name, vmid = nextVmid++, mac = macOf(vmid), seed, agent = false } = input
  const medium = aMedium(input.medium)
  const isIso = medium.kind === 'iso'
  let offs = 0
  const disk = { slot: 'scsi0', size: 20 * 1024 ** 3, serial: 'disk0', content: isIso ? {} : { image: medium } }
  const hardware: Hardware = {
    host: 'pve1',
    vmid,
    name,
    uuid: `00000000-0000-4000-8000-${String(vmid).padStart(12, '0')}`,
    cores: 2,
    memory: 4 * 1024 ** 3,
    firmware: input.firmware ?? 'ovmf',
    tpm: false,
    machineType: input.machineType ?? 'pc-q35-10.1',
    scsiController: 'virtio-scsi-pci',
    bootOrder: isIso ? ['scsi0', 'ide2'] : ['scsi0'],
    disks: input.disks ?? [disk, ...(input.dataDisks ?? [])],
    cds: [
      ...(isIso ? [{ slot: 'ide2', volid: 'local:iso/talos.iso', bytes: () => encodeMedium(medium) }] : []),
      ...(seed === undefined
        ? []
        : [{ slot: 'ide3', volid: 'local:iso/seed.iso', bytes: () => plainIso('cidata', seed) }]),
    ],
    nics: [{ slot: 'net0', mac, bridge: 'vmbr0', linkDown: false }],
    agentEnabled: agent,
    onPowerOff: () => offs++,
  }
  return { guest: guests.powerOn(hardware), hardware, offs: () => offs }
}

export function macOf(vmid: number): string {
  return `BC:24:11:00:${Math.floor(vmid / 256)
    .toString(16)
    .padStart(2, '0')}:${(vmid % 256).toString(16).padStart(2, '0')}`.toUpperCase()
}

function transportTo(target: { host: string; port: number }, credentials?: { ca: string; crt: string; key: string }) {
  const tls =
    credentials === undefined
      ? { rejectUnauthorized: false }
      : { ca: credentials.ca, cert: credentials.crt, key: credentials.key }
  const sockets = new Set<ReturnType<typeof tlsConnect>>()
  const baseUrl = `https://${target.host}:${target.port}`
  const sessionManager = sessionTo(baseUrl, {
    createConnection: () => {
      const socket = tlsConnect({ ...tls, ...target, ALPNProtocols: ['h2'], checkServerIdentity: () => undefined })
      socket.on('error', () => {})
      sockets.add(socket)
      return socket
    },
  })
  const transport = createGrpcTransport({ baseUrl, sessionManager })
  const abort = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { transport, abort }
}

function clientsOver(transport: Transport): NodeClients {
  return {
    machine: createClient(MachineService, transport),
    state: createClient(State, transport),
    storage: createClient(StorageService, transport),
    lifecycle: createClient(LifecycleService, transport),
    images: createClient(ImageService, transport),
  }
}
