import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from './config-value.js'
import { needsReboot } from './needs-reboot.js'
import { kindOf, readConfig, titleOf } from './read-config.js'
import { isSecretField, secretMask } from './secret-fields.js'
import { toYaml } from './yaml-text.js'

/** One field that differs, with secrets masked. */
export interface FieldChange {
  /** `v1alpha1`, or kind and name of a document: `VolumeConfig EPHEMERAL`. */
  readonly document: string
  /** `machine.sysctls.vm.max_map_count`; empty if the whole document is added or removed. */
  readonly path: string
  /** Absent if it was added. */
  readonly before?: string
  /** Absent if it was removed. */
  readonly after?: string
  readonly needsReboot: boolean
}

export interface ConfigDiff {
  readonly changes: readonly FieldChange[]
  readonly needsReboot: boolean
}

/** What would change on a node with this Talos version, by document. */
export function diffConfigs(before: string, after: string, talosVersion: string): ConfigDiff {
  const left = byTitle(readConfig(before, 'the config that is'))
  const right = byTitle(readConfig(after, 'the config that is wanted'))
  const changes = [...new Set([...left.keys(), ...right.keys()])].flatMap((title) =>
    documentChanges(title, left.get(title), right.get(title), talosVersion),
  )
  return { changes, needsReboot: changes.some((change) => change.needsReboot) }
}

function documentChanges(
  title: string,
  before: ConfigObject | undefined,
  after: ConfigObject | undefined,
  talosVersion: string,
): FieldChange[] {
  const kind = kindOf(before ?? after ?? {})
  const left = before === undefined ? new Map<string, Leaf>() : leavesOf(before)
  const right = after === undefined ? new Map<string, Leaf>() : leavesOf(after)
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((path) => {
    const [one, other] = [left.get(path), right.get(path)]
    if (one?.text === other?.text) return []
    return [fieldChange(title, kind, one, other, talosVersion)]
  })
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: ConfigValue
  readonly text: string
}

function fieldChange(
  title: string,
  kind: string,
  before: Leaf | undefined,
  after: Leaf | undefined,
  talosVersion: string,
): FieldChange {
  const path = before?.path ?? after?.path ?? []
  return {
    document: title,
    path: path.join('.').replaceAll('.[', '['),
    ...(before === undefined ? {} : { before: shown(kind, before) }),
    ...(after === undefined ? {} : { after: shown(kind, after) }),
    needsReboot: needsReboot({ kind, path, isRemoved: after === undefined }, talosVersion),
  }
}

function shown(kind: string, { path, value, text }: Leaf): string {
  return isSecretField(kind, path, value) ? secretMask : text
}

function leavesOf(value: ConfigValue, path: readonly string[] = [], into = new Map<string, Leaf>()): Map<string, Leaf> {
  const inner = isConfigObject(value)
    ? Object.entries(value)
    : isConfigList(value)
      ? value.map((item, index): [string, ConfigValue] => [`[${index}]`, item])
      : []
  for (const [key, one] of inner) leavesOf(one, [...path, key], into)
  if (inner.length === 0 && !isNothing(value)) into.set(JSON.stringify(path), { path, value, text: toYaml(value) })
  return into
}

/** Talos treats it as absent. An empty object is different, because it may switch something on. */
function isNothing(value: ConfigValue): boolean {
  return value === null || (isConfigList(value) && value.length === 0)
}

function byTitle(documents: readonly ConfigObject[]): ReadonlyMap<string, ConfigObject> {
  return new Map(documents.map((document) => [titleOf(document), document]))
}
