/**
 * How lists of built-in kinds merge: by the keys of their items, as a set, or (by default) as a whole. The first key is
 * the merge key of a strategic merge patch.
 */
const keyed: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  webhooks: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  hostAliases: ['ip'],
  conditions: ['type'],
  addresses: ['type'],
  ownerReferences: ['uid'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
}

/** Values that the server sets before it compares keys. */
export const keyDefaults: Readonly<Record<string, unknown>> = { protocol: 'TCP' }

const sets = new Set(['finalizers'])
/** Selectors and references count as one value. */
const atomicMaps = new Set([
  'nodeSelector',
  'selector',
  'labelSelector',
  'podSelector',
  'namespaceSelector',
  'objectSelector',
  'roleRef',
  'secretRef',
  'configMapRef',
  'fieldRef',
  'resourceFieldRef',
  'configMapKeyRef',
  'secretKeyRef',
])

export interface MergeRules {
  keysOf(path: readonly string[]): readonly string[] | undefined
  isSet(path: readonly string[]): boolean
  isAtomicMap(path: readonly string[]): boolean
  /** Whether a map is owned besides its content: if no schema describes it. */
  ownsMap(path: readonly string[]): boolean
}

export const builtInRules: MergeRules = {
  keysOf: (path) => {
    const last = path.at(-1) ?? ''
    if (last === 'ports') return path.includes('containers') || path.includes('initContainers') ? containerPort : port
    return keyed[last]
  },
  isSet: (path) => sets.has(path.at(-1) ?? ''),
  isAtomicMap: (path) => atomicMaps.has(path.at(-1) ?? ''),
  ownsMap: () => false,
}

/** Custom resources without a schema merge maps and replace lists. */
export const customRules: MergeRules = {
  keysOf: (path) => (path[0] === 'metadata' ? keyed[path.at(-1) ?? ''] : undefined),
  isSet: (path) => path[0] === 'metadata' && sets.has(path.at(-1) ?? ''),
  isAtomicMap: () => false,
  ownsMap: () => false,
}

/** Custom resources whose definition keeps unknown fields. */
export const schemalessRules: MergeRules = { ...customRules, ownsMap: (path) => path[0] !== 'metadata' }

const containerPort = ['containerPort', 'protocol']
const port = ['port', 'protocol']
