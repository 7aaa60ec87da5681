import { type Fields, findText, flag, listOf, optional, text } from './fields.js'

export interface ClusterStatus {
  readonly quorate: boolean
  readonly hosts: readonly { readonly name: string; readonly online: boolean; readonly address?: string }[]
}

/** A host that is not clustered has no cluster entry and is always quorate. */
export function readClusterStatus(data: unknown): ClusterStatus {
  const entries = listOf(data)
  const ofType = (type: string) => entries.filter((entry) => text(entry, 'type') === type)
  const [cluster] = ofType('cluster')
  return { quorate: cluster === undefined || flag(cluster, 'quorate'), hosts: ofType('node').map(readHost) }
}

function readHost(entry: Fields): ClusterStatus['hosts'][number] {
  return { name: text(entry, 'name'), online: flag(entry, 'online'), ...optional('address', findText(entry, 'ip')) }
}
