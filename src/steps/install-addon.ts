import { z } from 'zod'
import { helmImage } from '../addons/helm-job.js'
import { installAddon as install, removeAddon as remove } from '../addons/install.js'
import { changeOf, installedProblems, readAddonRecords, readInstalledAddons } from '../addons/installed-addons.js'
import type { PlannedAddon } from '../addons/planned-addon.js'
import { ifSeen, seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { withLocalHelm } from '../node/local-helm.js'
import type { ObservedAddon } from '../observe/observed.js'
import type { Model } from '../work/model.js'
import { defineStep, type StepContext } from './step.js'

/** Installs or updates the addon, and waits until it works. */
export const installAddon = defineStep({
  kind: 'install-addon',
  args: z.strictObject({ addon: z.string() }),
  title: ({ addon }, desired) => {
    const { title, version } = addonOf(desired, addon)
    return `install ${title}${version === '' ? '' : ` ${version}`}`
  },
  changes: true,
  disruptive: false,
  installs: 'addon',
  async done({ addon }, context) {
    const wanted = addonOf(context.desired, addon)
    const found = await findInstalled(addon, context).catch(() => undefined)
    if (found === undefined || changeOf(wanted, found) !== 'none') return false
    const problems = await installedProblems(await kubernetesApi(context), found, context.signal)
    return changeOf(wanted, found, problems) === 'none'
  },
  async run({ addon }, context) {
    context.assertLease()
    const wanted = addonOf(context.desired, addon)
    const tools = await toolsOf(context)
    if (wanted.delivery !== 'helm') return install(tools, wanted, context.signal)
    await withLocalHelm(context, (localHelm) => install({ ...tools, localHelm }, wanted, context.signal))
  },
  inputs: ({ addon }, desired) => {
    const { hash, delivery, managedBy, helmImage: image } = addonOf(desired, addon)
    return { known: () => ({ spec: hash, delivery, managedBy, image }) }
  },
  effect: ({ addon }, model, desired) =>
    changeAddons(model, addon, (addons) => [...without(addons, addon), asInstalled(addonOf(desired, addon))]),
})

/** Removes the addon and everything that was applied for it. */
export const removeAddon = defineStep({
  kind: 'remove-addon',
  args: z.strictObject({ addon: z.string() }),
  title: ({ addon }) => `remove the addon ${addon}`,
  changes: true,
  disruptive: true,
  inputs: (_args, desired) => ({ known: () => ({ image: helmImage(desired.cluster.imageMirror) }) }),
  done: async ({ addon }, context) => (await findRecord(addon, context)) === undefined,
  async run({ addon }, context) {
    const installed = await findRecord(addon, context)
    if (installed === undefined) return
    context.assertLease()
    await remove(await toolsOf(context), installed, helmImage(context.desired.cluster.imageMirror), context.signal)
  },
  loses: ({ addon }, observed) => {
    const { addons = [], unfinishedAddons = [] } = ifSeen(observed.kubernetes) ?? {}
    const present = [...addons, ...unfinishedAddons].find(({ name }) => name === addon)
    return present?.holdsData ? [`everything that the addon ${addon} holds`] : []
  },
  effect: ({ addon }, model) => changeAddons(model, addon, (addons) => without(addons, addon)),
})

function addonOf({ addons }: Desired, name: string): PlannedAddon {
  const found = addons.find((addon) => addon.name === name)
  if (found === undefined) throw new Error(`no addon ${name} is wanted`)
  return found
}

async function toolsOf(context: StepContext) {
  return { api: await kubernetesApi(context), clock: context.clock, note: context.note }
}

async function findRecord(name: string, context: StepContext) {
  const records = await readAddonRecords(await kubernetesApi(context), context.signal)
  return records.find((addon) => addon.name === name)
}

async function findInstalled(name: string, context: StepContext) {
  const installed = await readInstalledAddons(await kubernetesApi(context), context.signal)
  return installed.find((addon) => addon.name === name)
}

function asInstalled({ name, title, version, hash, managedBy, holdsData }: PlannedAddon): ObservedAddon {
  return { name, title, version, spec: hash, managedBy, holdsData, healthy: true }
}

/** Afterwards it is installed or gone, and no longer unfinished. */
function changeAddons(model: Model, name: string, change: (addons: readonly ObservedAddon[]) => ObservedAddon[]): void {
  model.change(({ kubernetes }) => {
    if (!kubernetes.seen || kubernetes.value === undefined) return {}
    const { unfinishedAddons, ...rest } = kubernetes.value
    const left = unfinishedAddons?.filter((addon) => addon.name !== name) ?? []
    const unfinished = left.length === 0 ? {} : { unfinishedAddons: left }
    return { kubernetes: seen({ ...rest, addons: change(rest.addons), ...unfinished }) }
  })
}

function without(addons: readonly ObservedAddon[], name: string): ObservedAddon[] {
  return addons.filter((addon) => addon.name !== name)
}
