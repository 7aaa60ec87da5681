import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { diskImages, hasXfs } from './disk-images.js'
import { forwardedNetwork, freePort } from './forwarded-network.js'
import { launchQemu } from './qemu.js'
import { hardwareOf, showCommand } from './show-command.js'
import type { Subject } from './subject.js'

/** What `image/build.sh` made. */
export interface NodeImage {
  readonly kernel: string
  readonly initramfs: string
  readonly busybox: string
  /** What its image holds. */
  readonly etcd: string
}

export type VirtualMachine = Awaited<ReturnType<typeof startVm>>

export interface VmInput {
  readonly subject: Subject
  readonly image: NodeImage
  readonly hasDeviceIds: boolean
  /** Its port on loopback. */
  readonly registry: number
}

/** Starts a VM as Proxmox would. Its network leads to the registry of the test and nowhere else; its Talos API has a port on loopback. */
export async function startVm({ subject, image, hasDeviceIds, registry }: VmInput) {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-vm-'))
  const port = await freePort()
  const console = join(folder, 'console.log')
  const images = diskImages(folder, subject)
  const { kernel, initramfs } = image
  const network = forwardedNetwork({ address: subject.address, port, busybox: image.busybox, registry })
  const args = showCommand(hardwareOf(subject.options, hasDeviceIds), { images, kernel, initramfs, console, network })
  let qemu = launchQemu(args)
  return {
    port,
    /** Why it does not run; `undefined` while it does. */
    end: () => qemu.end(),
    ended: () => Promise.race([qemu.ended.then(() => true), wait(600_000, false, { ref: false })]),
    hasFilesystem: (slot: string, label: string) => hasXfs(images[slot] ?? '', label),
    console: () => readFileSync(console, 'utf8'),
    powerCycle: async () => {
      await qemu.kill()
      qemu = launchQemu(args)
    },
    close: async () => {
      await qemu.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
