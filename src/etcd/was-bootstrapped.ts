import { oncePer } from '../cluster/lookup.js'
import type { Observed } from '../observe/observed.js'

const isAnyMarked = oncePer((machines: Observed['machines']) => machines.some(({ mark }) => mark.bootstrap === 'done'))

type Facts = Pick<Observed, 'secrets' | 'machines' | 'etcd'>

/** etcd was bootstrapped: according to the secrets or a mark, or because it was observed. */
export function wasBootstrapped({ secrets, machines, etcd }: Facts): boolean {
  return secrets.bootstrapped || isAnyMarked(machines) || (etcd.seen && etcd.value !== undefined)
}
