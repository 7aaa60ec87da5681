import { SequenceEvent_Action, SequenceEventSchema } from '../../../wire/machine/events_pb.js'
import { rawDisks } from '../disks/drives.js'
import {
  type BootAsset,
  type BootSource,
  findBootSource,
  findSystemDisk,
  type InstalledSystem,
  otherSlot,
} from '../disks/system-disk.js'
import { findSeed } from '../media/cidata.js'
import type { Boot } from './boot.js'
import { adoptConfig, findConfig } from './config-sources.js'
import { durations } from './durations.js'
import { installFromConfig } from './install.js'
import { installImage } from './install-image.js'
import { hostnameOf, setUpLinks } from './links.js'
import type { TalosMachine } from './machine.js'
import { stableHostname } from './node-name.js'
import { runServices } from './run-services.js'

/** `kexec` starts the installed system at once, regardless of the firmware's boot order. */
export type Start = 'cold' | 'kexec'

/**
 * Restarts the machine: running services are cut off, and a new boot begins. Never rejects; a boot that is cut off just
 * ends.
 */
export function startMachine(machine: TalosMachine, start: Start): void {
  machine.startBoot((boot) => run(boot, start))
}

async function run(boot: Boot, start: Start): Promise<void> {
  const { machine } = boot
  await forgetLastBoot(boot)
  if (start === 'cold') await boot.pause(durations.firmware)
  const source = findSource(machine, start)
  if (source === undefined) return machine.log('No bootable device.')
  const asset = await loadKernel(boot, source)
  if (asset === undefined) return machine.log('No boot entry starts; waiting for a key.')
  if (source.kind === 'iso' && findSystemDisk(machine.hardware) !== undefined) return haltIfInstalled(boot)
  machine.setStage('booting')
  if (await finishStagedUpgrade(boot)) return rebootInstalled(machine)
  await setUpNetwork(boot)
  await takeConfig(boot)
  if (machine.system === undefined && (await installFromConfig(boot)) === 'reboot') return rebootInstalled(machine)
  await runServices(boot)
}

async function forgetLastBoot({ machine, signal }: Boot): Promise<void> {
  await machine.api.close('at-once')
  signal.throwIfAborted()
  machine.bootId = machine.fleet.randomHex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  machine.bootedAt = machine.fleet.clock.now()
  machine.seed = undefined
  machine.configIsBroken = false
  machine.certificateIsExpired = false
  machine.imagesInMemory = []
  machine.nodeIsReady = false
  machine.unmet = []
  machine.setConfig(undefined)
  if (machine.isResuming) return
  machine.services.clear()
  machine.certificate = undefined
}

function findSource({ hardware }: TalosMachine, start: Start): BootSource | undefined {
  const installed = start === 'kexec' ? findSystemDisk(hardware) : undefined
  return installed === undefined ? findBootSource(hardware) : { kind: 'disk', ...installed }
}

/** The loader falls back to the other slot if an entry does not boot. */
async function startSlot(boot: Boot, system: InstalledSystem): Promise<BootAsset | undefined> {
  const { machine } = boot
  const hasOther = system.slots[otherSlot(system.boot)] !== undefined
  if (machine.distrustsNewSlot && hasOther) system.boot = otherSlot(system.boot)
  machine.distrustsNewSlot = false
  const chosen = system.slots[system.boot]
  if (chosen?.isBroken === true) {
    await boot.pause(durations.brokenBoot)
    machine.record('machine.fell-back', { from: chosen.talos })
    system.boot = otherSlot(system.boot)
  }
  system.running = system.boot
  return system.slots[system.boot]
}

async function loadKernel(boot: Boot, source: BootSource): Promise<BootAsset | undefined> {
  const { machine } = boot
  machine.system = source.kind === 'disk' ? source.system : undefined
  machine.asset = source.kind === 'disk' ? await startSlot(boot, source.system) : source.asset
  await boot.pause(durations.kernel)
  if (machine.asset !== undefined) machine.log(`Linux version 6.18.0-talos (${machine.asset.talos})`)
  return machine.asset
}

/** An ISO that finds an installed Talos refuses to continue, logs it twice a minute, and finally reboots. */
async function haltIfInstalled(boot: Boot): Promise<void> {
  const { machine } = boot
  for (let waited = 0; waited < durations.haltUntilReboot; waited += durations.haltNotice) {
    machine.log(
      '[talos] talos.halt_if_installed: a disk holds an installed Talos, and this is not it; boot from that disk',
    )
    await boot.wait(durations.haltNotice)
  }
  startMachine(machine, 'cold')
}

/** Returns whether there was one, and so a new system to boot. */
async function finishStagedUpgrade(boot: Boot): Promise<boolean> {
  const { machine } = boot
  const staged = machine.system?.staged
  if (machine.system === undefined || staged === undefined) return false
  delete machine.system.staged
  await boot.pause(durations.upgrade)
  installImage(machine, staged)
  return true
}

async function setUpNetwork(boot: Boot): Promise<void> {
  const { machine } = boot
  const { hardware, fleet, system, asset } = machine
  if (asset?.platform === 'nocloud') machine.seed = findSeed([...hardware.cds, ...rawDisks(hardware)], hardware.serial)
  if (system !== undefined) system.state ??= { nodeId: fleet.randomHex(32) }
  machine.nodeId = system?.state?.nodeId ?? hardware.uuid
  const config = findConfig(machine)
  if (config !== undefined) machine.setConfig(config)
  await boot.pause(durations.network)
  readdress(machine)
  if (machine.links.some(({ usesDhcp }) => usesDhcp)) await boot.pause(durations.dhcp)
}

/** Sets the links up again from the current config, platform and DHCP. */
export function readdress(machine: TalosMachine): void {
  const { hardware, fleet, asset, networkFacts, seed } = machine
  machine.links = setUpLinks({
    nics: hardware.nics,
    platform: asset?.platform ?? 'metal',
    network: fleet.network,
    ...(networkFacts === undefined ? {} : { config: networkFacts }),
    ...(seed === undefined ? {} : { seed }),
  })
  machine.hostname = hostnameOf(machine.links, networkFacts, seed, stableHostname(machine.nodeId))
  machine.changed()
}

/** Without a complete config the machine stays in maintenance until it gets one. */
async function takeConfig(boot: Boot): Promise<void> {
  const { machine } = boot
  while (machine.configIsBroken) await boot.wait(durations.haltNotice)
  if (machine.facts === undefined) {
    await machine.api.open('maintenance')
    machine.setStage('maintenance')
    if (machine.stage === 'maintenance') machine.isResuming = false
    await untilConfigured(boot)
    await machine.api.close('gently')
    machine.setStage('booting')
    readdress(machine)
  }
  adoptConfig(machine)
  machine.events.emit(SequenceEventSchema, { sequence: 'boot', action: SequenceEvent_Action.START })
}

async function untilConfigured({ machine, signal }: Boot): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = machine.watch(() => {
      if (machine.facts === undefined) return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
}

/** The reboot after an installation is a kexec, except with Secure Boot. */
function rebootInstalled(machine: TalosMachine): void {
  machine.setStage('rebooting')
  startMachine(machine, machine.asset?.secureBoot === true ? 'cold' : 'kexec')
}
