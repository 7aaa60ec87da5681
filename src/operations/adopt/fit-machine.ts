import type { FoundMachine } from '../../adopt/found-cluster.js'
import { withVersionsOf } from '../../adopt/image-pieces.js'
import { type PatchFile, patchFiles } from '../../adopt/patch-text.js'
import { type Piece, piecesBetween } from '../../adopt/pieces.js'
import { findLine, type Unexpressed } from '../../adopt/unexpressed.js'
import { kubernetesImages, versionOfImage, withKubernetesImages } from '../../cluster/config-images.js'
import { isKubernetesHeld } from '../../cluster/held.js'
import type { Machine, RunningVersions } from '../../cluster/machine.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { endpointOf } from '../../desired/endpoint.js'
import { installerFor } from '../../desired/images.js'
import { talosMachine } from '../../desired/talos-machine.js'
import { UserFacingError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { PatchTexts } from '../../inventory/patches.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { diffConfigs } from '../../talos/config/diff.js'
import { readConfig } from '../../talos/config/read-config.js'
import { renderConfig } from '../../talos/config/render.js'

export type AdoptedSpec = ClusterSpec & { readonly secrets: { readonly bundle: SecretsBundle } }

export function machineOf(inventory: Inventory, name: string): Machine {
  const found = inventory.machines.find((machine) => machine.name === name)
  if (found === undefined) throw new Error(`the inventory has no ${name}`)
  return found
}

/** As ichor up would write it: a machine that keeps its Kubernetes keeps the image of each component. */
function render({ name, talos }: FoundMachine, inventory: Inventory, spec: AdoptedSpec): string {
  const endpoint = endpointOf(inventory) ?? ''
  const machine = machineOf(inventory, name)
  const config = renderConfig(talosMachine(machine, endpoint, spec), spec.secrets.bundle)
  if (talos === undefined || !isKubernetesHeld(machine)) return config
  return withKubernetesImages(config, kubernetesImages(talos.config))
}

/** Versions of machines that differ from those of the inventory. */
export function versionsApart({ name, talos }: FoundMachine, inventory: Inventory): RunningVersions | undefined {
  if (talos === undefined) return undefined
  const { settings } = inventory
  const { version, schematic, config } = talos
  const isOtherImage = schematic !== undefined && schematic !== installerFor(machineOf(inventory, name), settings).id
  const images = kubernetesImages(config)
  const own = Object.values(images).flatMap((image) => versionOfImage(image) ?? [])
  const kubernetes = versionOfImage(images.kubelet ?? '') ?? own[0]
  const isOtherKubernetes = own.some((one) => one !== settings.kubernetes_version)
  const apart = {
    ...(version === settings.talos_version && !isOtherImage ? {} : { talos: version }),
    ...(isOtherImage ? { schematic } : {}),
    ...(isOtherKubernetes && kubernetes !== undefined ? { kubernetes } : {}),
  }
  return Object.keys(apart).length === 0 ? undefined : apart
}

export function piecesOf(machine: FoundMachine, inventory: Inventory, spec: AdoptedSpec): Piece[] {
  const { name, talos } = machine
  if (talos === undefined) return []
  const where = `the config of ${name}`
  const { settings } = inventory
  const { runs } = machineOf(inventory, name).adopted ?? {}
  const versions = {
    talos: runs?.talos ?? settings.talos_version,
    kubernetes: runs?.kubernetes ?? settings.kubernetes_version,
  }
  const pieces = piecesBetween(readConfig(render(machine, inventory, spec), where), readConfig(talos.config, where))
  return pieces.map((piece) => withVersionsOf(piece, versions))
}

/** Pieces that ichor can apply as a patch; the others are found by the comparison at the end. */
export function expressible(machine: FoundMachine, inventory: Inventory, spec: AdoptedSpec): Piece[] {
  const pieces = piecesOf(machine, inventory, spec)
  const applies = (some: readonly Piece[]) => {
    const own = patchTexts({
      cluster: [],
      controlPlane: [],
      worker: [],
      nodes: { [machine.name]: patchFiles('x', 'x', some) },
    })
    try {
      render(machine, inventory, { ...spec, patches: own })
      return true
    } catch (thrown) {
      if (thrown instanceof UserFacingError) return false
      throw thrown
    }
  }
  return applies(pieces) ? pieces : pieces.filter((piece) => applies([piece]))
}

interface Files {
  readonly cluster: readonly PatchFile[]
  readonly controlPlane: readonly PatchFile[]
  readonly worker: readonly PatchFile[]
  readonly nodes: Readonly<Record<string, readonly PatchFile[]>>
}

export function patchTexts({ cluster, controlPlane, worker, nodes }: Files): PatchTexts {
  const texts = (files: readonly PatchFile[]) => files.map(({ path, text }) => ({ source: path, line: 1, text }))
  return {
    cluster: texts(cluster),
    controlPlane: texts(controlPlane),
    worker: texts(worker),
    pools: {},
    nodes: Object.fromEntries(Object.entries(nodes).map(([name, files]) => [name, texts(files)])),
  }
}

export function unexpressedOf(machine: FoundMachine, inventory: Inventory, spec: AdoptedSpec): Unexpressed[] {
  const { name, talos } = machine
  if (talos === undefined) return []
  const { changes } = diffConfigs(talos.config, render(machine, inventory, spec), talos.version)
  return changes.map(({ document, path }) => {
    const line = findLine(talos.config, document, path)
    const place = document === 'v1alpha1' ? path : [document, path].filter((part) => part !== '').join(' ')
    return { machine: name, place, ...(line === undefined ? {} : { line }) }
  })
}
