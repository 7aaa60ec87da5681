import { helmImage } from '../addons/helm-job.js'
import { installAddon as install, removeAddon as remove } from '../addons/install.js'
import { changeOf, installedProblems, readInstalledAddons } from '../addons/installed-addons.js'
import type { PlannedAddon } from '../addons/planned-addon.js'
import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedAddon } from '../observe/observed.js'
import type { World } from '../world.js'
import { kubernetesApi } from './kubernetes-endpoints.js'
import { withLocalHelm } from './local-helm.js'
import { defineStep, type StepContext } from './step.js'

/** Installed or brought up to date, and waited for until it works. */
export const installAddon = defineStep<{ addon: string }>({
  kind: 'install-addon',
  title: ({ addon }, desired) => {
    const { title, version } = addonOf(desired, addon)
    return `install ${title}${version === '' ? '' : ` ${version}`}`
  },
  changes: true,
  disruptive: false,
  async done({ addon }, world, context) {
    const wanted = addonOf(context.desired, addon)
    const found = await findInstalled(addon, world, context).catch(() => undefined)
    if (found === undefined || changeOf(wanted, found) !== 'none') return false
    const problems = await installedProblems(await kubernetesApi(world, context), found, context.signal)
    return changeOf(wanted, found, problems) === 'none'
  },
  async run({ addon }, world, context) {
    context.assertLease()
    const wanted = addonOf(context.desired, addon)
    const tools = await toolsOf(world, context)
    if (wanted.delivery !== 'helm') return install(tools, wanted, context.signal)
    await withLocalHelm(world, context, (localHelm) => install({ ...tools, localHelm }, wanted, context.signal))
  },
  effect: ({ addon }, observed, desired) => withAddon(observed, asInstalled(addonOf(desired, addon))),
})

/** Taken away with everything that was applied for it. */
export const removeAddon = defineStep<{ addon: string }>({
  kind: 'remove-addon',
  title: ({ addon }) => `remove the addon ${addon}`,
  changes: true,
  disruptive: true,
  done: async ({ addon }, world, context) => (await findInstalled(addon, world, context)) === undefined,
  async run({ addon }, world, context) {
    const installed = await findInstalled(addon, world, context)
    if (installed === undefined) return
    context.assertLease()
    await remove(
      await toolsOf(world, context),
      installed,
      helmImage(context.desired.cluster.imageMirror),
      context.signal,
    )
  },
  effect: ({ addon }, observed) => withoutAddon(observed, addon),
})

function addonOf({ addons }: Desired, name: string): PlannedAddon {
  const found = addons.find((addon) => addon.name === name)
  if (found === undefined) throw new Error(`no addon ${name} is wanted`)
  return found
}

async function toolsOf(world: World, context: StepContext) {
  return { api: await kubernetesApi(world, context), clock: world.clock, note: context.note }
}

async function findInstalled(name: string, world: World, context: StepContext) {
  const installed = await readInstalledAddons(await kubernetesApi(world, context), context.signal)
  return installed.find((addon) => addon.name === name)
}

function asInstalled({ name, title, version, hash, managedBy, holdsData }: PlannedAddon): ObservedAddon {
  return { name, title, version, spec: hash, managedBy, holdsData, healthy: true }
}

function withAddon(observed: Observed, addon: ObservedAddon): Observed {
  const without = withoutAddon(observed, addon.name)
  if (without.kubernetes === undefined) return without
  return { ...without, kubernetes: { ...without.kubernetes, addons: [...without.kubernetes.addons, addon] } }
}

function withoutAddon(observed: Observed, name: string): Observed {
  if (observed.kubernetes === undefined) return observed
  const addons = observed.kubernetes.addons.filter((addon) => addon.name !== name)
  return { ...observed, kubernetes: { ...observed.kubernetes, addons } }
}
