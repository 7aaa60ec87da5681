/** How many of `members` must be healthy for etcd to accept a write. */
export function majority(members: number): number {
  return Math.floor(members / 2) + 1
}

/** Whether etcd still has its majority when one more of its healthy members goes away for a while. */
export function canPause(members: number, healthy: number): boolean {
  return healthy - 1 >= majority(members)
}

/** Whether etcd still has its majority after a healthy member has left for good (it no longer counts). */
export function canLeave(members: number, healthy: number): boolean {
  return members > 1 && healthy - 1 >= majority(members - 1)
}
