import { mostCommon } from '../../adopt/agreed.js'
import type { FoundCluster, FoundMachine } from '../../adopt/found-cluster.js'
import { inventoryText } from '../../adopt/inventory-text.js'
import { lift } from '../../adopt/lift.js'
import { factsOf } from '../../adopt/machine-facts.js'
import { type PatchFile, patchFiles } from '../../adopt/patch-text.js'
import { type Choices, type Described, settingsOf } from '../../adopt/settings.js'
import type { Unexpressed } from '../../adopt/unexpressed.js'
import { shapeOf } from '../../adopt/vm-settings.js'
import type { RunningVersions } from '../../cluster/machine.js'
import { parseVersion } from '../../cluster/version.js'
import { installerFor } from '../../desired/images.js'
import { UsageError, UserFacingError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { readConfig } from '../../talos/config/read-config.js'
import {
  type AdoptedSpec,
  expressible,
  machineOf,
  patchTexts,
  piecesOf,
  unexpressedOf,
  versionsApart,
} from './fit-machine.js'
import { keptOptions } from './kept-options.js'

/** An environment that describes what runs. */
export interface Fitted {
  /** The text of cluster.yaml. */
  readonly inventory: string
  readonly contract: string
  readonly clusterName: string
  readonly pool: string
  readonly patches: readonly PatchFile[]
  /** What runs and is not in the environment. */
  readonly unexpressed: readonly Unexpressed[]
  readonly kept: Readonly<Record<string, readonly string[]>>
  /** Versions apart from those of the inventory, which stay. */
  readonly runs: Runs
}

type Runs = Readonly<Record<string, RunningVersions>>

export interface FitOptions {
  readonly bundle: SecretsBundle
  readonly name?: string
  readonly endpoint?: string
  readonly schema: string
  /** Parses and checks the text of a cluster.yaml that is not written yet. */
  draft(text: string): Promise<Inventory>
}

/** Writes the inventory, renders it, and turns every difference from what runs into a patch. */
export async function fitInventory(found: FoundCluster, options: FitOptions): Promise<Fitted> {
  const machines = found.machines.map(described)
  const { talos } = machines.find((machine) => machine.talos !== undefined) ?? {}
  if (talos === undefined) {
    throw new UsageError('No node of the cluster could be read.', {
      where: 'ichor adopt',
      fix: 'Start a control plane, and check that this computer reaches the Talos API of the nodes.',
    })
  }
  const base: Choices = {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    contract: contractsUpTo(talos.version)[0] ?? 'v1.13',
    namesExtensions: false,
    kept: {},
    runs: {},
    unmanaged: found.leftOut.map(({ name }) => name),
    patches: { cluster: [], controlPlane: [], worker: [], nodes: {} },
  }
  const textOf = (choices: Choices) => inventoryText(settingsOf(machines, choices), options.schema)
  const draft = (choices: Choices) => options.draft(textOf(choices))
  const contract = await bestContract(machines, base, draft, options.bundle)
  const namesExtensions = await hasSchematicOf({ ...base, contract, namesExtensions: true }, machines, draft)
  const together = { ...base, contract, namesExtensions }
  const runs = runsOf(machines, await draft(together))
  const unkept = { ...together, runs }
  const plain = await draft(unkept)
  const kept = Object.fromEntries(
    machines.map(({ name, vm }) => [name, keptOptions(machineOf(plain, name), plain, vm.options)]),
  )
  const inventory = await draft({ ...unkept, kept })
  const spec = specOf(inventory, options.bundle)
  // Of a machine that was not read nothing is known, so that it must not decide what the others have in common.
  const levels = lift(
    machines.filter(isRead).map((machine) => ({
      name: machine.name,
      role: machine.role,
      own: [machine.name, machine.address, machine.uuid, machine.vm.mac],
      pieces: expressible(machine, inventory, spec),
    })),
  )
  const files = {
    cluster: patchFiles('cluster', 'every machine', levels.cluster),
    controlPlane: patchFiles('control-plane', 'control planes', levels.controlPlane),
    worker: patchFiles('worker', 'workers', levels.worker),
    nodes: Object.fromEntries(
      Object.entries(levels.nodes).map(([name, pieces]) => [name, patchFiles(`node-${name}`, name, pieces)]),
    ),
  }
  const patched = { ...spec, patches: patchTexts(files) }
  const names = (some: readonly PatchFile[]) => some.map(({ path }) => path)
  const patches = {
    cluster: names(files.cluster),
    controlPlane: names(files.controlPlane),
    worker: names(files.worker),
    nodes: Object.fromEntries(Object.entries(files.nodes).map(([name, some]) => [name, names(some)])),
  }
  return {
    inventory: textOf({ ...unkept, kept, patches }),
    contract,
    clusterName: inventory.settings.cluster_name,
    pool: inventory.settings.proxmox.pool,
    patches: [files.cluster, files.controlPlane, files.worker, ...Object.values(files.nodes)].flat(),
    unexpressed: machines.flatMap((machine) => unexpressedOf(machine, inventory, patched)),
    kept,
    runs,
  }
}

function isRead({ talos }: FoundMachine): boolean {
  return talos !== undefined
}

function specOf(inventory: Inventory, bundle: SecretsBundle): AdoptedSpec {
  return {
    inventory,
    secrets: { bundle, memory: { bootstrapped: true, values: {} } },
    patches: { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} },
    addons: [],
    intent: {},
    until: 'healthy',
  }
}

function runsOf(machines: readonly Described[], inventory: Inventory): Runs {
  return Object.fromEntries(
    machines.flatMap((machine) => {
      const apart = versionsApart(machine, inventory)
      return apart === undefined ? [] : [[machine.name, apart]]
    }),
  )
}

function described(machine: FoundMachine): Described {
  const documents = machine.talos === undefined ? [] : readConfig(machine.talos.config, `the config of ${machine.name}`)
  return { ...machine, facts: factsOf(documents), shape: shapeOf(machine.vm.options) }
}

const oldestMinor = 6

/** Newest first. */
function contractsUpTo(version: string): string[] {
  const newest = parseVersion(version)?.minor ?? oldestMinor
  return Array.from({ length: Math.max(1, newest - oldestMinor + 1) }, (_, index) => `v1.${newest - index}`)
}

/** The contract whose configs differ least from what runs; of equal ones the newest. */
async function bestContract(
  machines: readonly Described[],
  base: Choices,
  draft: (choices: Choices) => Promise<Inventory>,
  bundle: SecretsBundle,
): Promise<string> {
  let best = { contract: base.contract, count: Number.POSITIVE_INFINITY }
  for (const contract of contractsUpTo(base.contract)) {
    const inventory = await draft({ ...base, contract }).catch(unlessRefused)
    if (inventory === undefined) continue
    const spec = specOf(inventory, bundle)
    const count = machines.reduce((sum, machine) => sum + piecesOf(machine, inventory, spec).length, 0)
    if (count < best.count) best = { contract, count }
  }
  return best.contract
}

/** A Talos does not read configs of every older contract. */
function unlessRefused(thrown: unknown): undefined {
  if (!(thrown instanceof UserFacingError)) throw thrown
}

/** Whether the extensions that run, as keys, give the schematic that runs. */
async function hasSchematicOf(
  choices: Choices,
  machines: readonly Described[],
  draft: (choices: Choices) => Promise<Inventory>,
): Promise<boolean> {
  const { settings, machines: wanted } = await draft(choices)
  const usual = mostCommon(machines.map(({ talos }) => talos?.schematic))
  return wanted.every((machine) => {
    const runs = machines.find(({ name }) => name === machine.name)?.talos
    return runs === undefined || runs.schematic !== usual || usual === installerFor(machine, settings).id
  })
}
