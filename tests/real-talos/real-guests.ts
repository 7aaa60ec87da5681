import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Guest, GuestKind, Hardware, LabNetwork, VirtualDisk } from '../../src/simulator/index.js'
import { makeEmptyDisk, makeSystemDisk } from './disk-images.js'
import { forwardedNetwork, freePort } from './forwarded-network.js'
import { launchQemu } from './qemu.js'
import { showCommand, type VmHardware } from './show-command.js'
import type { NodeImage } from './virtual-machine.js'

export interface RealGuestsOptions {
  readonly image: NodeImage
  /** Its port on loopback. */
  readonly registry: number
  /** The address of each real node, by the name of its VM. All other VMs are simulated. */
  readonly addresses: Readonly<Record<string, string>>
}

/** What is running, for checks that look past the lab. */
export interface RealGuests {
  readonly guestKind: (simulated: GuestKind, network: LabNetwork) => GuestKind
  /** How many times a VM was switched on. */
  starts(): number
  running(): number
}

/** VMs of a simulated Proxmox that boot a real Talos in QEMU, from the disks that the lab imported and allocated. */
export function realGuests(options: RealGuestsOptions): RealGuests {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-real-guests-'))
  const running = new Set<Guest>()
  let starts = 0
  return {
    starts: () => starts,
    running: () => running.size,
    guestKind: (simulated, network) => ({
      powerOn: (hardware, resumed) => {
        const address = options.addresses[hardware.name]
        if (address === undefined) return simulated.powerOn(hardware, resumed)
        starts++
        const guest = startGuest({ hardware, address, network, folder, ...options }, () => running.delete(guest))
        running.add(guest)
        return guest
      },
    }),
  }
}

interface Start extends Omit<RealGuestsOptions, 'addresses'> {
  readonly hardware: Hardware
  readonly address: string
  readonly network: LabNetwork
  readonly folder: string
}

function startGuest(start: Start, onEnd: () => void): Guest {
  let life = powerOn(start)
  let isCut = false
  const watch = async (current: typeof life) => {
    const { qemu } = await current
    await qemu.ended
    if (isCut || current !== life) return
    await current.then(({ close }) => close())
    onEnd()
    start.hardware.onPowerOff()
  }
  void watch(life)
  return {
    powerOff: async () => {
      isCut = true
      await (await life).close()
      onEnd()
    },
    // Talos handles the button only after minutes.
    acpiShutdown: () => {},
    reset: async () => {
      const before = life
      life = before.then(async ({ close }) => {
        await close()
        return powerOn(start)
      })
      void watch(life)
      await life
    },
    // The image has no agent.
    agent: () => undefined,
    agentShutdown: () => {},
    save: () => ({}),
  }
}

async function powerOn({ hardware, address, network, folder, image, registry }: Start) {
  const port = await freePort()
  const images = Object.fromEntries(hardware.disks.map((disk) => [disk.slot, fileOf(disk, hardware, folder)]))
  const { kernel, initramfs, busybox } = image
  const console = join(folder, `${hardware.name}.console`)
  const forwarded = forwardedNetwork({ address, port, busybox, registry })
  const qemu = launchQemu(showCommand(vmHardware(hardware), { images, kernel, initramfs, console, network: forwarded }))
  const server = createServer((client) => {
    const guest = connect(port, '127.0.0.1')
    client.pipe(guest).pipe(client)
    for (const [one, other] of [
      [client, guest],
      [guest, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await network.listen(server, address, 50000)
  return {
    qemu,
    close: async () => {
      await qemu.kill()
      await closeServer(server)
    },
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}

function vmHardware({ uuid, serial, cores, memory, machineType, disks, nics }: Hardware): VmHardware {
  const [major = 0] = /(\d+)\.\d+$/.exec(machineType)?.slice(1).map(Number) ?? []
  return {
    uuid,
    serial,
    mac: nics[0]?.mac ?? '',
    cores,
    memory: memory / 1024 ** 2,
    disks: disks.map(({ slot, serial: number, isSsd = false }) => ({ slot, serial: number, isSsd })),
    hasDeviceIds: major >= 10,
  }
}

/** The lab keeps the path with the volume, so that its content survives the power. */
function fileOf({ slot, size, content }: VirtualDisk, { vmid }: Hardware, folder: string): string {
  if (typeof content.guest === 'string') return content.guest
  const file = join(folder, `${vmid}-${slot}.raw`)
  if (content.raw !== undefined) writeFileSync(file, Buffer.from(content.raw, 'base64'), { mode: 0o600 })
  else if (content.image !== undefined) makeSystemDisk(file, size)
  else makeEmptyDisk(file, size)
  content.guest = file
  return file
}
