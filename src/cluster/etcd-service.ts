/** Talos's service of etcd, as a control plane reports it. */
interface EtcdService {
  readonly state: string
  /** Why it ended, if it did not become healthy since. */
  readonly ended?: string | undefined
}

/**
 * Whether etcd was not started yet: it waits for bootstrap, for recovery, or to join others. An etcd that ended is
 * Waiting as well, for its next start: that one has data.
 */
export function isBeforeEtcd({ state, ended }: EtcdService): boolean {
  return ended === undefined && ['Initialized', 'Preparing', 'Waiting'].includes(state)
}

/** Why etcd does not start, without the words that all such messages of Talos have. */
export function endOf(ended: string): string {
  if (/exited without error/.test(ended)) return 'it exits at once'
  return ended.replace(/^Error running .*?, going to restart forever: /, '')
}
