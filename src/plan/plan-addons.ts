import { changeOf } from '../addons/installed-addons.js'
import type { PlannedAddon } from '../addons/planned-addon.js'
import type { Observed, ObservedAddon } from '../observe/observed.js'
import type { Draft } from './draft.js'

/** Addons as early as their needs allow: the network first, then everything else as the nodes turn Ready. */
export function planAddons(draft: Draft, observed: Observed): void {
  const installed = observed.kubernetes?.addons ?? []
  const firstNodes = draft.desired.machines.flatMap(({ machine }) => [
    `join-node:${machine.name}`,
    `label-node:${machine.name}`,
  ])
  for (const addon of draft.desired.addons) {
    const reason = reasonFor(
      addon,
      installed.find(({ name }) => name === addon.name),
    )
    if (reason === undefined) continue
    const needs = addon.needs.map((name) => `install-addon:${name}`)
    draft.add('install-addon', { addon: addon.name }, reason, [
      'await-kubernetes',
      ...needs,
      ...(isNetwork(addon) ? [] : firstNodes),
    ])
  }
  planReadiness(draft, observed)
  for (const { name, holdsData } of installed) {
    if (draft.desired.addons.some((addon) => addon.name === name)) continue
    draft.add(
      'remove-addon',
      { addon: name },
      holdsData ? 'the inventory does not want it any more; it HOLDS DATA' : 'the inventory does not want it any more',
    )
  }
}

/** A part that somebody took away is brought again; what is only unhealthy is shown by `status`, not reinstalled. */
function reasonFor(wanted: PlannedAddon, installed: ObservedAddon | undefined): string | undefined {
  if (installed === undefined) return 'it is not installed yet'
  const missing = installed.missing === undefined ? [] : [installed.missing]
  if (changeOf(wanted, { hash: installed.spec }, missing) === 'none') return undefined
  if (installed.spec === wanted.hash) return `${installed.missing} any more`
  return installed.version === wanted.version
    ? 'its values changed'
    : `version ${installed.version} -> ${wanted.version}`
}

function isNetwork({ name }: PlannedAddon): boolean {
  return name === 'cilium' || name === 'flannel'
}

/** Without a network of any kind nodes stay NotReady, and nobody waits for them. */
function planReadiness(draft: Draft, observed: Observed): void {
  if (!draft.desired.cluster.hasNetwork) return
  const network = draft.desired.addons.filter(isNetwork).map(({ name }) => `install-addon:${name}`)
  for (const { machine } of draft.desired.machines) {
    const node = observed.machines.find(({ name }) => name === machine.name)?.node
    if (node?.ready) continue
    draft.add('await-ready', { machine: machine.name }, 'it takes no work yet', [
      'await-kubernetes',
      `join-node:${machine.name}`,
      ...network,
    ])
  }
}
