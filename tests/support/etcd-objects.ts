import { readSnapshotFile } from '../../src/simulator/talos/etcd/snapshot-file.js'
import type { World } from '../../src/world.js'

/** They say of themselves that they change all the time. */
const fleeting = /^\/registry\/(leases|events|masterleases|endpointslices|services\/endpoints|csinodes)\//

/** Every object of Kubernetes by its key in etcd, as a snapshot of a member has it in this moment. */
export async function objectsInEtcd(world: World, address = '10.0.10.10'): Promise<Map<string, unknown>> {
  const signal = AbortSignal.timeout(30_000)
  const parts: Uint8Array[] = []
  for await (const part of world.talos.node({ machine: 'etcd', address }).etcd.snapshot(signal)) parts.push(part)
  const records = readSnapshotFile(Buffer.concat(parts))?.content.records ?? []
  return new Map(
    records
      .filter(({ key }) => !fleeting.test(key))
      .map(({ key, value }) => [key, lasting(JSON.parse(clearOf(value)))]),
  )
}

/** Secrets stand behind the name of the key that they lie under. */
function clearOf(value: string): string {
  return value.replace(/^k8s:enc:[^{]*/, '')
}

/** What somebody wanted, and who the object is; not what others have observed of it since. */
function lasting({ status: _, metadata, ...rest }: Record<string, unknown>): unknown {
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata as Record<string, unknown>
  return { ...rest, metadata: kept }
}
