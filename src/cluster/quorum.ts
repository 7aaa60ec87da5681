/** How many of `members` must be healthy for etcd to accept a write. */
export function majority(members: number): number {
  return Math.floor(members / 2) + 1
}
