import { basename } from 'node:path'
import type { Complaint } from './complaint.js'
import type { Path } from './path.js'
import { nodesSchema } from './schema.js'
import type { Position, Source } from './source.js'

export interface Merged {
  readonly data: Readonly<Record<string, unknown>>
  readonly complaints: readonly Complaint[]
  locate(path: Path, at: 'key' | 'value'): Position
}

const nodeKeys = Object.keys(nodesSchema.shape)

/** cluster.yaml and nodes.yaml as one document; `undefined` if one of them cannot be read. */
export function mergeSources(cluster: Source, nodes: Source | undefined): Merged | undefined {
  if (cluster.data === undefined || (nodes !== undefined && nodes.data === undefined)) return undefined
  if (nodes?.data === undefined) return { data: cluster.data, complaints: [], locate: cluster.locate }
  const inNodes = nodes.data
  return {
    data: { ...cluster.data, ...inNodes },
    complaints: Object.keys(inNodes).flatMap((key) => complaintsAbout(key, cluster, nodes)),
    locate: (path, at) => (Object.hasOwn(inNodes, path[0] ?? '') ? nodes : cluster).locate(path, at),
  }
}

function complaintsAbout(key: string, cluster: Source, nodes: Source): Complaint[] {
  const [clusterFile, nodesFile] = [basename(cluster.file), basename(nodes.file)]
  if (Object.hasOwn(cluster.data ?? {}, key)) {
    return [
      {
        path: [key],
        at: 'key',
        message: `${key} is set both in ${clusterFile} and in ${nodesFile}.`,
        fix: 'Keep it in one of the two files.',
      },
    ]
  }
  if (nodeKeys.includes(key)) return []
  return [
    {
      path: [key],
      at: 'key',
      message: `${nodesFile} holds ${nodeKeys.join(' and ')}, and not ${key}.`,
      fix: `Move ${key} to ${clusterFile}.`,
    },
  ]
}
