import { isMap, parseDocument } from 'yaml'
import { FileError } from '../../errors.js'
import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../../talos/config/config-value.js'

/** The files of a folder that talhelper reads; encrypted ones decrypted. */
export interface TalhelperFiles {
  /** With its variables replaced. */
  readonly talconfig: string
  /** For messages. */
  readonly where: string
  /** Machine configs that talhelper has generated here, by name of the file; hold secrets. */
  readonly generated: Readonly<Record<string, string>>
  /** Files that the talconfig names with `@`, by that name, with their variables replaced. */
  readonly named: Readonly<Record<string, string>>
}

/** A cluster in a talconfig. */
export interface Talconfig {
  readonly clusterName?: string
  readonly endpoint?: string
  readonly talosVersion?: string
  readonly kubernetesVersion?: string
  readonly nodes: readonly TalhelperNode[]
  readonly manifests: readonly { readonly name: string; readonly contents: string }[]
}

export interface TalhelperNode {
  readonly name: string
  readonly addresses: readonly string[]
  readonly isControlPlane: boolean
  /** Those of the cluster and of its role come first. */
  readonly patches: readonly string[]
}

const largest = 4 * 1024 * 1024

/** A talconfig.yaml whose variables are replaced. Never repeats a value of it. */
export function readTalconfig({ talconfig, where }: Pick<TalhelperFiles, 'talconfig' | 'where'>): Talconfig {
  const root = rootOf(talconfig, where)
  const nodes = listAt(root, 'nodes').filter(isConfigObject)
  if (nodes.length === 0) throw unreadable('it lists no nodes', where)
  const group = (key: string) => textsAt(isConfigObject(root[key]) ? root[key] : {}, 'patches')
  return {
    ...optional('clusterName', textAt(root, 'clusterName')),
    ...optional('endpoint', textAt(root, 'endpoint')),
    ...optional('talosVersion', textAt(root, 'talosVersion')),
    ...optional('kubernetesVersion', textAt(root, 'kubernetesVersion')),
    nodes: nodes.map((node) => {
      const isControlPlane = node.controlPlane === true
      const ofRole = node.overridePatches === true ? [] : group(isControlPlane ? 'controlPlane' : 'worker')
      return {
        name: textAt(node, 'hostname') ?? '',
        addresses: (textAt(node, 'ipAddress') ?? '')
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean),
        isControlPlane,
        patches: [...textsAt(root, 'patches'), ...ofRole, ...textsAt(node, 'patches')],
      }
    }),
    manifests: listAt(root, 'inlineManifests')
      .filter(isConfigObject)
      .flatMap((manifest) => {
        const [name, contents] = [textAt(manifest, 'name'), textAt(manifest, 'contents')]
        return name === undefined || contents === undefined ? [] : [{ name, contents }]
      }),
  }
}

/** The files that a talconfig names: `@./patches/kubelet.yaml`. */
export function namedFiles({ nodes, manifests }: Talconfig): string[] {
  const texts = [...nodes.flatMap(({ patches }) => patches), ...manifests.map(({ contents }) => contents)]
  return [...new Set(texts.filter((text) => text.startsWith('@')).map((text) => text.trim().slice(1)))]
}

function rootOf(text: string, where: string): ConfigObject {
  if (text.length > largest) throw unreadable('it is larger than 4 MiB', where)
  const document = parseDocument(text, { logLevel: 'error' })
  if (document.errors.length > 0 || !isMap(document.contents)) throw unreadable('it is not YAML', where)
  try {
    const root: ConfigValue = document.toJS({ maxAliasCount: 100 })
    return isConfigObject(root) ? root : {}
  } catch {
    throw unreadable('an alias in it leads nowhere, or to too much', where)
  }
}

function optional<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<Key, string>>)
}

function listAt(value: ConfigObject, key: string): readonly ConfigValue[] {
  const found = value[key]
  return isConfigList(found) ? found : []
}

function textsAt(value: ConfigObject, key: string): string[] {
  return listAt(value, key).filter((entry): entry is string => typeof entry === 'string')
}

function textAt(value: ConfigObject, key: string): string | undefined {
  const found = value[key]
  return typeof found === 'string' && found !== '' ? found : undefined
}

function unreadable(what: string, where: string): FileError {
  return new FileError(`This talconfig cannot be used: ${what}.`, {
    where,
    fix: 'Give the folder in which `talhelper genconfig` works.',
  })
}
