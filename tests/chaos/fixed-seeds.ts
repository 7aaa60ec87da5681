/** Seeds whose sequences pass: the same ones every time, so that no landing fails by luck. New seeds are for the hunt by hand. */
export const fixedSeeds = {
  /** Small clusters, for `npm test`. */
  few: [3, 4, 6],
  /** For `.ci/run`. */
  many: [] as number[],
}
