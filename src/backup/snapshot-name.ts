/** `dev-20261115T120000Z-1a2b3c4d`: the cluster, when it was taken, and the start of the etcd file's hash. */
export function snapshotName(cluster: string, takenAt: Date, sha256: string): string {
  return `${cluster}-${takenAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '')}-${sha256.slice(0, 8)}`
}

/** The objects of one snapshot. Data is written first and `manifest` last; only manifests are listed. */
export function objectsOf(name: string) {
  return {
    etcd: `${name}.etcd.age`,
    secrets: `${name}.secrets.age`,
    manifest: `${name}.json`,
    drill: `${name}.drill.json`,
  } as const
}

const objectName = /^([a-z0-9][a-z0-9-]*-\d{8}T\d{6}Z-[0-9a-f]{8})\.(etcd\.age|secrets\.age|drill\.json|json)$/
const kinds = { 'etcd.age': 'etcd', 'secrets.age': 'secrets', 'drill.json': 'drill', json: 'manifest' } as const

export interface SnapshotObject {
  readonly snapshot: string
  readonly kind: (typeof kinds)[keyof typeof kinds]
}

/** `undefined` for an object that is not ours. */
export function findSnapshotObject(name: string): SnapshotObject | undefined {
  const [, snapshot, ending] = objectName.exec(name) ?? []
  if (snapshot === undefined) return undefined
  return { snapshot, kind: kinds[ending as keyof typeof kinds] }
}
