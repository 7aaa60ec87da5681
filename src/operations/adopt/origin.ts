import type { FoundCluster } from '../../adopt/found-cluster.js'
import { factsOf } from '../../adopt/machine-facts.js'
import { readTalconfig, type TalhelperFiles } from '../../adopt/origins/talconfig.js'
import { talconfigDifferences } from '../../adopt/origins/talconfig-differences.js'
import { readTalosconfig, type WayIn } from '../../adopt/origins/talosconfig.js'
import { forgetCommands, terraformDifferences } from '../../adopt/origins/terraform-differences.js'
import { isControlPlane, readTerraformState, type TerraformState } from '../../adopt/origins/terraform-state.js'
import { hostOf } from '../../adopt/settings.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { readImport } from '../../secrets/import/read-import.js'
import { readConfig } from '../../talos/config/read-config.js'

/** Files of whatever made the cluster, as their text. */
export type Origin = File | TfState | Talhelper

interface File {
  readonly kind: 'talosconfig' | 'secrets' | 'machine-config'
  readonly text: string
  /** For messages. */
  readonly where: string
  /** Of a talosconfig. */
  readonly context?: string
}

interface TfState {
  readonly kind: 'tfstate'
  readonly text: string
  readonly where: string
  /** The resource with the secrets, if there are several. */
  readonly cluster?: string
}

interface Talhelper extends TalhelperFiles {
  readonly kind: 'talconfig'
  readonly secrets?: { readonly text: string; readonly where: string }
}

/** What one origin gives: keys, or a client certificate, and addresses of control planes. */
export interface Ways {
  readonly where: string
  readonly bundle?: SecretsBundle
  readonly wayIn?: WayIn
  readonly controlPlanes: readonly string[]
}

export function waysOf(origin: Origin): Ways {
  const { where } = origin
  if (origin.kind === 'talosconfig') {
    const wayIn = readTalosconfig(origin.text, where, origin.context)
    return { where, wayIn, controlPlanes: wayIn.endpoints }
  }
  if (origin.kind === 'tfstate') return waysOfState(origin)
  if (origin.kind === 'talconfig') {
    const { nodes, endpoint } = readTalconfig(origin)
    const addresses = nodes.filter((node) => node.isControlPlane).flatMap((node) => node.addresses)
    const controlPlanes = [...addresses, ...(endpoint === undefined ? [] : [hostOf(endpoint)])]
    const { secrets } = origin
    return { where, controlPlanes, ...(secrets && { bundle: readImport(secrets.text, secrets.where).bundle }) }
  }
  const { bundle } = readImport(origin.text, where)
  const endpoint = origin.kind === 'machine-config' ? factsOf(readConfig(origin.text, where)).endpoint : undefined
  return { where, bundle, controlPlanes: endpoint === undefined ? [] : [hostOf(endpoint)] }
}

function waysOfState({ text, where, cluster }: TfState): Ways {
  const state = readTerraformState(text, where)
  const found = { where, controlPlanes: state.nodes }
  if (state.hasSecrets)
    return { ...found, bundle: readImport(text, where, cluster === undefined ? {} : { cluster }).bundle }
  const config = state.configs.find((one) => isControlPlane(one.text))
  if (config !== undefined) return { ...found, bundle: readImport(config.text, `${where}, ${config.resource}`).bundle }
  if (state.talosconfig === undefined) return found
  return { ...found, wayIn: readTalosconfig(state.talosconfig, where) }
}

/** Where the origins differ from what runs: places, never values of configs. */
export function differencesOf(origins: readonly Origin[], found: FoundCluster): string[] {
  return origins.flatMap((origin) => {
    if (origin.kind === 'tfstate') return terraformDifferences(stateOf(origin), found)
    return origin.kind === 'talconfig' ? talconfigDifferences(origin, found) : []
  })
}

/** Commands that make the former tool forget the cluster. */
export function commandsToForget(origins: readonly Origin[], found: FoundCluster): string[] {
  return origins.flatMap((origin) => (origin.kind === 'tfstate' ? forgetCommands(stateOf(origin), found) : []))
}

function stateOf({ text, where }: TfState): TerraformState {
  return readTerraformState(text, where)
}
