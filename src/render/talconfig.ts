import { stringify } from 'yaml'
import { type ConfigObject, isConfigObject } from '../talos/config/config-value.js'
import { kindOf, readConfig } from '../talos/config/read-config.js'
import { privateMode, type RenderedFile, type RenderNode } from './render-input.js'

/** What talhelper needs besides its nodes. */
export interface TalhelperCluster {
  readonly name: string
  readonly endpoint: string
  readonly talosVersion: string
  readonly kubernetesVersion: string
}

/**
 * A talconfig.yaml with which `talhelper genconfig --secret-file secrets.yaml` makes the configs that run: for each node a patch
 * that removes what talhelper generates, and one with what the node runs. The keys of the cluster stay in
 * secrets.yaml.
 */
export function talhelperFiles(cluster: TalhelperCluster, nodes: readonly RenderNode[]): RenderedFile[] {
  const known = nodes.filter(({ config }) => config !== '')
  const talconfig = {
    clusterName: cluster.name,
    talosVersion: cluster.talosVersion,
    kubernetesVersion: cluster.kubernetesVersion,
    endpoint: cluster.endpoint,
    nodes: known.map(({ name, role, ip, config }) => ({
      hostname: name,
      ipAddress: ip ?? name,
      controlPlane: role === 'controlplane',
      ...installDisk(config),
      patches: [`@./${patchPath(name, 'removed')}`, `@./${patchPath(name, 'set')}`],
    })),
  }
  const head = '# Written by ichor eject, for: talhelper genconfig --secret-file secrets.yaml\n'
  return [
    { path: 'talconfig.yaml', content: `${head}${yamlText([talconfig], 'PLAIN')}`, mode: privateMode },
    ...known.flatMap(({ name, config }) => {
      const documents = readConfig(config, `the config of ${name}`)
      return [
        { path: patchPath(name, 'removed'), content: yamlText(removals(documents)), mode: privateMode },
        { path: patchPath(name, 'set'), content: yamlText(documents.map(withoutKeys)), mode: privateMode },
      ]
    }),
  ]
}

function patchPath(name: string, what: 'removed' | 'set'): string {
  return `talhelper/${name}-${what}.yaml`
}

/** talhelper wants one, although the patch sets it again. */
function installDisk(config: string): { readonly installDisk: string } {
  const [main] = readConfig(config, 'a config').filter((document) => kindOf(document) === 'v1alpha1')
  const install = isConfigObject(main?.machine) ? main.machine.install : undefined
  const disk = isConfigObject(install) ? install.disk : undefined
  return { installDisk: typeof disk === 'string' ? disk : '/dev/sda' }
}

/** What talhelper takes from secrets.yaml and from its own fields. */
const kept: Readonly<Record<string, readonly string[]>> = {
  machine: ['type', 'token', 'ca'],
  cluster: [
    'id',
    'secret',
    'token',
    'ca',
    'aggregatorCA',
    'serviceAccount',
    'secretboxEncryptionSecret',
    'aescbcEncryptionSecret',
    'controlPlane',
    'clusterName',
    'etcd',
  ],
}

/** Sections that Talos's generator writes, and that a merge would only add to. */
const generated: Readonly<Record<string, readonly string[]>> = {
  machine: ['certSANs', 'kubelet', 'install', 'features', 'nodeLabels', 'network', 'sysctls'],
  cluster: [
    'network',
    'discovery',
    'apiServer',
    'controllerManager',
    'proxy',
    'scheduler',
    'extraManifests',
    'inlineManifests',
  ],
}

function removals(documents: readonly ConfigObject[]): ConfigObject[] {
  const sections = Object.entries(generated).map(([section, keys]): [string, ConfigObject] => [
    section,
    Object.fromEntries(keys.map((key) => [key, { $patch: 'delete' }])),
  ])
  const hasHostname = documents.some((document) => kindOf(document) === 'HostnameConfig')
  const hostname: ConfigObject = { apiVersion: 'v1alpha1', kind: 'HostnameConfig', $patch: 'delete' }
  return [Object.fromEntries(sections), ...(hasHostname ? [hostname] : [])]
}

function withoutKeys(document: ConfigObject): ConfigObject {
  if (kindOf(document) !== 'v1alpha1') return document
  return Object.fromEntries(
    Object.entries(document).map(([section, value]) => {
      const left = kept[section]
      if (left === undefined || !isConfigObject(value)) return [section, value]
      const etcd = section === 'cluster' && isConfigObject(value.etcd) ? etcdWithoutCa(value.etcd) : {}
      return [section, { ...Object.fromEntries(Object.entries(value).filter(([key]) => !left.includes(key))), ...etcd }]
    }),
  )
}

function etcdWithoutCa({ ca: _ca, ...rest }: ConfigObject): ConfigObject {
  return Object.keys(rest).length === 0 ? {} : { etcd: rest }
}

/**
 * As talhelper reads files: it replaces variables and templates, and takes comments away by a pattern that also fits into
 * strings. Every string is quoted, and has none of these characters.
 */
function yamlText(documents: readonly ConfigObject[], keys: 'PLAIN' | 'QUOTE_DOUBLE' = 'QUOTE_DOUBLE'): string {
  const options = {
    lineWidth: 0,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: keys,
    aliasDuplicateObjects: false,
  } as const
  return documents
    .map((document) => stringify(document, options))
    .join('---\n')
    .replaceAll('#', '\\x23')
    .replaceAll('{{', '\\x7b\\x7b')
    .replaceAll('$', () => '$$')
}
