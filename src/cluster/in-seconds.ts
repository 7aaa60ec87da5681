/** A duration for users: seconds of real time, even if a lab's clock runs faster. */
export function inSeconds(ms: number, { speed = 1 }: { readonly speed?: number }): string {
  return `${Math.round(ms / speed / 1000)} s`
}
