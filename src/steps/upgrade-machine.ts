import { z } from 'zod'
import { withInstaller } from '../cluster/config-images.js'
import { withoutProbes } from '../cluster/node-probes.js'
import { seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { UserFacingError } from '../errors.js'
import { guardPause } from '../machine/etcd-guards.js'
import { handOverLeadership } from '../machine/etcd-leader.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import { findNode } from '../machine/kubernetes-node.js'
import type { Model } from '../machine/model.js'
import { awaitNextBoot } from '../machine/next-boot.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { askRelease, isRelease, releaseInWords, type TalosRelease } from '../machine/talos-release.js'
import { machineOf } from '../machine/wanted-machine.js'
import type { World } from '../world.js'
import { defineStep, type StepContext } from './step.js'

/** A node returned with its previous version. */
class UpgradeFailed extends UserFacingError {
  readonly code = 'upgrade-failed'
  readonly exitCode = 1
}

const releaseArgs = { machine: z.string(), version: z.string(), schematic: z.string().optional() }

/** Talos 1.13 and later: the installer writes the other boot slot while the node keeps running. */
export const installTalos = defineStep({
  kind: 'install-talos',
  args: z.strictObject(releaseArgs),
  title: ({ machine, version }) => `install Talos ${version} on ${machine}`,
  changes: true,
  disruptive: false,
  done: async ({ machine, ...release }, world, context) =>
    isRelease(await askRelease(machine, world, context), release),
  guard: async ({ machine }, world, context) =>
    guardIdentity(machine, await getAddress(machine, world, context), world, context),
  async run({ machine }, world, context) {
    const image = installerOf(machine, context)
    const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
    await nameInstaller(machine, image, world, context)
    context.assertLease()
    await node.upgrade(image, { stage: false, isPulled: true, onProgress: context.note }, context.signal)
  },
  effect: () => undefined,
})

/**
 * Reboots into the installed version; before Talos 1.13 the node installs it first. The step is done when the node is
 * back with the right version: a boot loader that could not boot it falls back to the old slot.
 */
export const upgradeMachine = defineStep({
  kind: 'upgrade-machine',
  args: z.strictObject({ ...releaseArgs, by: z.enum(['reboot', 'node', 'rollback']) }),
  title: ({ machine, version, by }) => titles[by](machine, version),
  changes: true,
  disruptive: true,
  done: async ({ machine, by: _, ...release }, world, context) =>
    isRelease(await askRelease(machine, world, context), release),
  async guard({ machine }, world, context) {
    await guardIdentity(machine, await getAddress(machine, world, context), world, context)
    await guardPause(machine, world, context)
  },
  async run({ machine, by, ...release }, world, context) {
    const image = installerOf(machine, context)
    const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
    await nameInstaller(machine, image, world, context)
    await handOverLeadership(machine, world, context)
    const act = async (signal: AbortSignal) => {
      context.assertLease()
      if (by === 'reboot') await node.reboot('default', signal)
      else if (by === 'rollback') await node.rollback(signal)
      else await node.upgrade(image, { stage: false }, signal)
    }
    await awaitNextBoot({ machine, node, act }, world, context)
    await proveRelease(machine, release, world, context)
  },
  effect: ({ machine, version, schematic }, model, desired) =>
    runRelease(model, desired, machine, { version, schematic }),
})

const titles = {
  reboot: (machine: string, version: string) => `reboot ${machine} into Talos ${version}`,
  node: (machine: string, version: string) => `upgrade ${machine} to Talos ${version}`,
  rollback: (machine: string, version: string) => `roll ${machine} back to Talos ${version}`,
} as const

function installerOf(machine: string, { desired }: StepContext): string {
  return machineOf(desired, machine).installer.image
}

/** The config names the installer image: it must not bring the old version back later. */
async function nameInstaller(machine: string, image: string, world: World, context: StepContext): Promise<void> {
  const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
  const active = withoutProbes(await node.resources.machineConfig(context.signal))
  const named = withInstaller(active, image)
  if (named === active) return
  context.assertLease()
  await node.applyConfiguration(named, { mode: 'no-reboot' }, context.signal)
}

/** Version and schematic of the boot slot that it runs now. */
async function proveRelease(machine: string, wanted: TalosRelease, world: World, context: StepContext): Promise<void> {
  const runs = await askRelease(machine, world, context)
  if (isRelease(runs, wanted)) return
  await letItWork(machine, world, context).catch(() => undefined)
  throw new UpgradeFailed(
    `${machine} booted ${releaseInWords(runs)} instead of ${releaseInWords(wanted)}: the new system did not boot, and its loader fell back to the old boot slot.`,
    {
      where: `machine ${machine}`,
      fix: `Look at its console in Proxmox for the cause (extensions, kernel arguments, memory). The other machines were not changed. Run the same command again to continue, or ichor upgrade --rollback to roll back.`,
    },
  )
}

/** It runs the previous version and is as healthy as before. */
async function letItWork(machine: string, world: World, context: StepContext): Promise<void> {
  const node = await findNode(machine, world, context)
  if (node === undefined) return
  context.assertLease()
  await (await kubernetesApi(world, context)).uncordon(node.name, context.signal)
}

/** The state once it runs the new version. */
function runRelease(model: Model, desired: Desired, machine: string, { version, schematic }: TalosRelease): void {
  const { image } = machineOf(desired, machine).installer
  changeMachine(model, desired, machine, ({ talos }) => {
    if (talos.reach !== 'secured') return {}
    const config = talos.config.seen ? seen(withInstaller(talos.config.value, image)) : talos.config
    return { talos: { ...talos, version, config, ...(schematic === undefined ? {} : { schematic: seen(schematic) }) } }
  })
}
