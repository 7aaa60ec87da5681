/** What people read of a duration: seconds of real time, also where the clock of a lab runs faster. */
export function inSeconds(ms: number, { speed = 1 }: { readonly speed?: number }): string {
  return `${Math.round(ms / speed / 1000)} s`
}
