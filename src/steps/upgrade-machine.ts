import { z } from 'zod'
import { withInstaller } from '../cluster/config-images.js'
import { withoutProbes } from '../cluster/node-probes.js'
import { seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { UserFacingError } from '../errors.js'
import { guardPause } from '../etcd/etcd-guards.js'
import { handOverLeadership } from '../etcd/etcd-leader.js'
import { guardIdentity } from '../node/guard-identity.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { findNode } from '../node/kubernetes-node.js'
import { awaitNextBoot } from '../node/next-boot.js'
import { getAddress } from '../node/node-address.js'
import { askRelease, isRelease, releaseInWords, type TalosRelease } from '../node/talos-release.js'
import { changeMachine } from '../vm/observed-change.js'
import type { Model } from '../work/model.js'
import { machineOf } from '../work/wanted-machine.js'
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
  installs: 'talos',
  inUpgrade: 'machine',
  done: async ({ machine, ...release }, context) => isRelease(await askRelease(machine, context), release),
  guard: async ({ machine }, context) => guardIdentity(machine, await getAddress(machine, context), context),
  async run({ machine }, context) {
    const image = installerOf(machine, context)
    const node = context.talos.node({ machine, address: await getAddress(machine, context) })
    await nameInstaller(machine, image, context)
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
  installs: 'talos',
  inUpgrade: 'machine',
  done: async ({ machine, by: _, ...release }, context) => isRelease(await askRelease(machine, context), release),
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
    await guardPause(machine, context)
  },
  async run({ machine, by, ...release }, context) {
    const image = installerOf(machine, context)
    const node = context.talos.node({ machine, address: await getAddress(machine, context) })
    await nameInstaller(machine, image, context)
    await handOverLeadership(machine, context)
    const act = async (signal: AbortSignal) => {
      context.assertLease()
      if (by === 'reboot') await node.reboot('default', signal)
      else if (by === 'rollback') await node.rollback(signal)
      else await node.upgrade(image, { stage: false }, signal)
    }
    await awaitNextBoot({ machine, node, act }, context)
    await proveRelease(machine, release, context)
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
async function nameInstaller(machine: string, image: string, context: StepContext): Promise<void> {
  const node = context.talos.node({ machine, address: await getAddress(machine, context) })
  const active = withoutProbes(await node.resources.machineConfig(context.signal))
  const named = withInstaller(active, image)
  if (named === active) return
  context.assertLease()
  await node.applyConfiguration(named, { mode: 'no-reboot' }, context.signal)
}

/** Version and schematic of the boot slot that it runs now. */
async function proveRelease(machine: string, wanted: TalosRelease, context: StepContext): Promise<void> {
  const runs = await askRelease(machine, context)
  if (isRelease(runs, wanted)) return
  await uncordon(machine, context).catch(() => undefined)
  throw new UpgradeFailed(
    `${machine} booted ${releaseInWords(runs)} instead of ${releaseInWords(wanted)}: the new system did not boot, and its loader fell back to the old boot slot.`,
    {
      where: `machine ${machine}`,
      fix: `Look at its console in Proxmox for the cause (extensions, kernel arguments, memory). The other machines were not changed. Run the same command again to continue, or ichor upgrade --rollback to roll back.`,
    },
  )
}

/** It runs the previous version and is as healthy as before. */
async function uncordon(machine: string, context: StepContext): Promise<void> {
  const node = await findNode(machine, context)
  if (node === undefined) return
  context.assertLease()
  await (await kubernetesApi(context)).uncordon(node.name, { timeoutMs: 0 }, context.signal)
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
