import type { FoundMachine } from '../../adopt/found-cluster.js'
import { type PatchFile, patchFiles } from '../../adopt/patch-text.js'
import type { Unexpressed } from '../../adopt/unexpressed.js'
import type { RunningVersions } from '../../cluster/machine.js'
import { UsageError } from '../../errors.js'
import type { Change } from '../../inventory/edit.js'
import type { Inventory } from '../../inventory/inventory.js'
import { readOnly } from '../../read-only.js'
import type { World } from '../../world.js'
import type { CompleteSpec } from '../spec/complete-spec.js'
import { expressible, patchTexts, unexpressedOf, versionsApart } from './fit-machine.js'
import { lookAround } from './look-around.js'

/** A machine whose config was not known, as an inventory describes it. */
export interface ReadMachine {
  readonly name: string
  readonly patches: readonly PatchFile[]
  readonly runs?: RunningVersions
  readonly unexpressed: readonly Unexpressed[]
}

export interface ReadLater {
  readonly read: readonly ReadMachine[]
  /** Why others are not known yet. */
  readonly unread: readonly { readonly name: string; readonly why: string }[]
  readonly changes: readonly Change[]
}

/** Machines that were off when the cluster was adopted. */
function unreadMachines({ machines }: Inventory): readonly string[] {
  return machines.filter(({ adopted }) => adopted?.unread === true).map(({ name }) => name)
}

/** Reads the configs of machines that were off when the cluster was adopted. Changes nothing anywhere. */
export async function readLater(spec: CompleteSpec, world: World, signal: AbortSignal): Promise<ReadLater> {
  const { inventory } = spec
  const controlPlanes = inventory.machines.flatMap(({ role, address }) =>
    role === 'controlplane' && address !== undefined ? [address] : [],
  )
  const { machines, leftOut } = await lookAround(controlPlanes, readOnly(world), signal)
  const names = unreadMachines(inventory)
  const read = names.flatMap((name) => {
    const found = machines.find((machine) => machine.name === name)
    return found?.talos === undefined ? [] : [readOne(found, spec)]
  })
  const whyNot = (name: string) => {
    const reason = leftOut.find((one) => one.name === name)?.why
    return reason ?? (machines.some((machine) => machine.name === name) ? 'it is off' : 'Kubernetes has no such node')
  }
  const unread = names.filter((name) => !read.some((one) => one.name === name))
  return {
    read,
    unread: unread.map((name) => ({ name, why: whyNot(name) })),
    changes: read.flatMap((machine) => changesFor(machine, inventory)),
  }
}

function readOne(found: FoundMachine, spec: CompleteSpec): ReadMachine {
  const { name } = found
  const runs = versionsApart(found, spec.inventory)
  const known = {
    ...spec,
    inventory: {
      ...spec.inventory,
      machines: spec.inventory.machines.map((machine) =>
        machine.name === name ? { ...machine, adopted: adoptedAs(machine.adopted?.keep ?? [], runs) } : machine,
      ),
    },
  }
  const files = patchFiles(`node-${name}`, name, expressible(found, known.inventory, known))
  const own = patchTexts({ cluster: [], controlPlane: [], worker: [], nodes: { [name]: files } }).nodes[name] ?? []
  const nodes = { ...spec.patches.nodes, [name]: [...(spec.patches.nodes[name] ?? []), ...own] }
  const patched = { ...known, patches: { ...spec.patches, nodes } }
  return {
    name,
    patches: files,
    ...(runs === undefined ? {} : { runs }),
    unexpressed: unexpressedOf(found, known.inventory, patched),
  }
}

function adoptedAs(keep: readonly string[], runs: RunningVersions | undefined) {
  return { keep, ...(runs === undefined ? {} : { runs }) }
}

function changesFor({ name, patches, runs }: ReadMachine, { settings, file }: Inventory): Change[] {
  const { controlplane, workers } = settings
  for (const [list, nodes] of Object.entries({ controlplane, workers })) {
    const index = nodes.findIndex((node) => node.name === name)
    const node = nodes[index]
    if (node === undefined) continue
    const place = `${list}[${index}]`
    const paths = [...(node.patches ?? []), ...patches.map(({ path }) => path)]
    return [
      { path: `${place}.adopted`, value: adoptedAs(node.adopted?.keep ?? [], runs) },
      ...(paths.length === 0 ? [] : [{ path: `${place}.patches`, value: paths }]),
    ]
  }
  throw new UsageError(`${name} has no entry of its own in the inventory.`, {
    where: file,
    fix: 'Write it under controlplane or workers.',
  })
}
