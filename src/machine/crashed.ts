/** What QEMU says of a VM that it has given up. One that is paused, or waits for its disk, goes on where it was. */
export function isCrashed(qmpStatus: string | undefined): boolean {
  return qmpStatus === 'internal-error' || qmpStatus === 'guest-panicked'
}
