/** Whatever is the matter with a member, it is asked to leave by itself. */
export async function leavesEtcd(): Promise<boolean> {
  return true
}

export async function stopInstead(_machine: string, failure: unknown): Promise<void> {
  throw failure
}
