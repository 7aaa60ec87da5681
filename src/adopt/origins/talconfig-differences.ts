import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../../talos/config/config-value.js'
import { readConfig, titleOf } from '../../talos/config/read-config.js'
import { kubernetesVersions } from '../agreed.js'
import type { FoundCluster, FoundMachine } from '../found-cluster.js'
import { factsOf } from '../machine-facts.js'
import { configDifference } from './config-difference.js'
import { readTalconfig, type Talconfig, type TalhelperFiles, type TalhelperNode } from './talconfig.js'

/** Where a talconfig differs from what runs; no value of a patch or config is in it. */
export function talconfigDifferences(files: TalhelperFiles, { machines, leftOut }: FoundCluster): string[] {
  const talconfig = readTalconfig(files)
  const pairs = talconfig.nodes.map((node) => ({ node, machine: findMachine(node, machines) }))
  const isListed = (one: FoundMachine) => pairs.some(({ machine }) => machine === one)
  return [
    ...pairs.flatMap(({ node, machine }) => {
      if (machine === undefined)
        return leftOut.some(({ name }) => name === node.name)
          ? []
          : [`${node.name}: talconfig.yaml has it, and the cluster does not`]
      return ofMachine(node, machine, talconfig)
    }),
    ...machines
      .filter((one) => !isListed(one))
      .map(({ name }) => `${name}: it runs, and talconfig.yaml does not have it`),
    ...ofCluster(talconfig, machines, files.named),
    ...pairs.flatMap(({ node, machine }) => {
      if (machine === undefined) return []
      const drifted = generatedDifference(node, machine, talconfig, files)
      return drifted ?? patchDifferences(node, machine, files.named)
    }),
  ]
}

function findMachine({ name, addresses }: TalhelperNode, machines: readonly FoundMachine[]): FoundMachine | undefined {
  return (
    machines.find(({ address }) => addresses.includes(address)) ?? machines.find((machine) => machine.name === name)
  )
}

function ofMachine(node: TalhelperNode, { name, role, address, talos }: FoundMachine, talconfig: Talconfig): string[] {
  const unlike = (what: string, wanted: string | undefined, runs: string | undefined) =>
    wanted === undefined || runs === undefined || wanted === runs
      ? []
      : [`${name}: talconfig.yaml has the ${what} ${wanted}, and ${runs} runs`]
  const facts = talos === undefined ? undefined : factsOf(readConfig(talos.config, `the config of ${name}`))
  const kubernetes = facts === undefined ? undefined : kubernetesVersions([facts])[0]
  const isElsewhere = node.addresses.length > 0 && !node.addresses.includes(address)
  return [
    ...unlike('name', node.name, name),
    ...unlike('role', node.isControlPlane ? 'control plane' : 'worker', role === 'worker' ? 'worker' : 'control plane'),
    ...(isElsewhere ? unlike('address', node.addresses.join(', '), address) : []),
    ...unlike('Talos', versioned(talconfig.talosVersion), talos?.version),
    ...unlike('Kubernetes', versioned(talconfig.kubernetesVersion), kubernetes),
    ...unlike('endpoint', talconfig.endpoint, facts?.endpoint),
  ]
}

/** talhelper takes versions with and without it. */
function versioned(version: string | undefined): string | undefined {
  return version === undefined || version.startsWith('v') ? version : `v${version}`
}

function ofCluster(
  { manifests }: Talconfig,
  machines: readonly FoundMachine[],
  named: TalhelperFiles['named'],
): string[] {
  const controlPlane = machines.find(({ role, talos }) => role === 'controlplane' && talos !== undefined)
  if (controlPlane?.talos === undefined) return []
  const documents = readConfig(controlPlane.talos.config, controlPlane.name)
  const running = documents.flatMap((document) => {
    const cluster = document.cluster
    const list = isConfigObject(cluster) ? cluster.inlineManifests : undefined
    return isConfigList(list) ? list.filter(isConfigObject) : []
  })
  return manifests.flatMap(({ name, contents }) => {
    const wanted = textOf(contents, named)
    const found = running.find((manifest) => manifest.name === name)?.contents
    return typeof found === 'string' && found.trim() === wanted?.trim()
      ? []
      : [`the inline manifest ${name} of talconfig.yaml is not what runs`]
  })
}

/** Between what talhelper has generated and what runs; `undefined` if it has generated no config for this node. */
function generatedDifference(
  node: TalhelperNode,
  machine: FoundMachine,
  { clusterName }: Talconfig,
  { generated }: TalhelperFiles,
): string[] | undefined {
  const file = `${clusterName ?? ''}-${node.name}.yaml`
  const text = Object.hasOwn(generated, file) ? generated[file] : undefined
  return text === undefined ? undefined : configDifference(`clusterconfig/${file}`, text, machine)
}

/** Places that a patch sets and that do not run. JSON patches depend on the order in which they were applied. */
function patchDifferences(
  node: TalhelperNode,
  { name, talos }: FoundMachine,
  named: TalhelperFiles['named'],
): string[] {
  if (talos === undefined) return []
  const running = readConfig(talos.config, `the config of ${name}`)
  return node.patches.flatMap((patch, index) => {
    const title = patch.startsWith('@') ? patch.trim() : `patch ${index + 1}`
    const text = textOf(patch, named)
    if (text === undefined) return [`${name}: ${title} cannot be read`]
    const places = documentsIn(text).flatMap((document) => {
      const same = running.find((one) => titleOf(one) === titleOf(document))
      return missingFrom(same, document, [])
    })
    return places.length === 0 ? [] : [`${name}: ${title} sets what does not run: ${[...new Set(places)].join(', ')}`]
  })
}

function textOf(text: string, named: TalhelperFiles['named']): string | undefined {
  if (!text.startsWith('@')) return text
  const name = text.trim().slice(1)
  return Object.hasOwn(named, name) ? named[name] : undefined
}

function documentsIn(text: string): ConfigObject[] {
  try {
    return readConfig(text, 'a patch')
  } catch {
    return []
  }
}

/** Lists are merged in a patch: what runs may hold more. */
function missingFrom(running: ConfigValue | undefined, wanted: ConfigValue, path: readonly string[]): string[] {
  const place = path.join('.')
  if (isConfigObject(wanted)) {
    if (wanted.$patch === 'delete') return running === undefined ? [] : [place]
    return Object.entries(wanted)
      .filter(([key]) => key !== '$patch')
      .flatMap(([key, value]) =>
        missingFrom(isConfigObject(running) && Object.hasOwn(running, key) ? running[key] : undefined, value, [
          ...path,
          key,
        ]),
      )
  }
  if (isConfigList(wanted)) {
    const has = (item: ConfigValue) =>
      isConfigList(running) && running.some((one) => missingFrom(one, item, path).length === 0)
    return wanted.every(has) ? [] : [place]
  }
  return String(running) === String(wanted) || (wanted === null && running === undefined) ? [] : [place]
}
