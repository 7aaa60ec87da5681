import type { Observed } from '../observe/observed.js'

/** etcd was made once: the secrets say so, or a mark, or it is seen. */
export function wasBootstrapped({ secrets, machines, etcd }: Pick<Observed, 'secrets' | 'machines' | 'etcd'>): boolean {
  const isMarked = machines.some(({ mark }) => mark.bootstrap === 'done')
  return secrets.bootstrapped || isMarked || (etcd.seen && etcd.value !== undefined)
}
