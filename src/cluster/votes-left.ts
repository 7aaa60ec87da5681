import { majority } from './quorum.js'

/** What the absence of control planes means for etcd, as a sentence. */
export function votesLeft(members: number, away: number): string {
  const left = members - away
  const spare = left - majority(members)
  const count = `${left} of ${members} control planes ${left === 1 ? 'is' : 'are'} left:`
  if (spare < 0) return `${count} etcd has lost its majority.`
  if (spare === 0) return `${count} etcd loses its majority if another one fails.`
  return `${count} etcd keeps its majority if ${spare === 1 ? 'another one fails' : `${spare} more fail`}.`
}
