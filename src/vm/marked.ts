import type { Desired } from '../desired/desired.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import { bindRequests } from '../ownership/requests.js'

/** The description of a VM with this mark, sealed with the cluster secrets. */
export function marked(description: string | undefined, mark: Mark, { cluster }: Pick<Desired, 'cluster'>): string {
  if (cluster.sealer === undefined) throw new Error('a mark cannot be sealed: the secrets are missing')
  return writeMark(description ?? '', bindRequests(mark, cluster.lease), cluster.sealer)
}
