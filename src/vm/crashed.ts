/** QEMU states after a crash. A VM that is paused or waits for its disk continues where it was. */
export function isCrashed(qmpStatus: string | undefined): boolean {
  return qmpStatus === 'internal-error' || qmpStatus === 'guest-panicked'
}
