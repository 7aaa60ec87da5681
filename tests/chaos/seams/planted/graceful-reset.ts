export * from '../../../../src/etcd/leave-gracefully.js'

/** Every machine is asked to leave etcd, one that cannot as well, and one that rejects its reset keeps running. */
export async function leavesEtcd(): Promise<boolean> {
  return true
}

export async function stopInstead(_machine: string, failure: unknown): Promise<void> {
  throw failure
}
