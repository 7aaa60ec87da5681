import { minorOf } from '../config/talos-version.js'
import type { Boot } from './boot.js'
import { startMachine } from './boot-sequence.js'
import { drainItself } from './drain.js'
import { durations } from './durations.js'
import { findMembership } from './etcd-life.js'
import { installImage } from './install-image.js'
import type { TalosMachine } from './machine.js'
import { reboot, stopServices } from './power.js'

/** Why an installer would refuse to run over the installed system; `undefined` if it would not. */
export function findInstallProblem({ fleet, minor, asset }: TalosMachine, reference: string): string | undefined {
  const medium = fleet.findInstaller(reference)
  if (medium === undefined) return `failed to resolve reference "${reference}": not found`
  const target = minorOf(medium.talos)
  if (minor >= target - 2 && minor < target + 2) return undefined
  return `upgrading from Talos ${asset?.talos ?? ''} to ${medium.talos} is not supported`
}

/** Why etcd does not allow this control plane to be upgraded now. */
export function findEtcdProblem(machine: TalosMachine): string | undefined {
  const membership = findMembership(machine)
  if (membership === undefined) return undefined
  const members = [...membership.cluster.members.values()]
  if (members.length === 2) return 'etcd member count (2) is insufficient to maintain quorum if upgrade commences'
  const down = members.find(({ id }) => !membership.cluster.isRunning(id))
  return down === undefined ? undefined : `etcd member ${down.name} is not healthy`
}

/** The legacy upgrade: the node itself drains, stops, installs and reboots. */
export async function upgradeByItself(boot: Boot, reference: string, isStaged: boolean, actor: string): Promise<void> {
  const { machine } = boot
  if (isStaged) {
    if (machine.system !== undefined) machine.system.staged = reference
    return reboot(machine, 'kexec', actor)
  }
  machine.setStage('upgrading')
  if (!(await drainItself(boot))) {
    machine.record('machine.upgrade-failed', { reason: 'pods could not be evicted' })
    return machine.setStage('running')
  }
  await stopServices(boot, 'upgrading', actor)
  await boot.pause(durations.upgrade)
  if (findInstallProblem(machine, reference) === undefined) installImage(machine, reference)
  machine.setStage('rebooting')
  startMachine(machine, 'kexec')
}
