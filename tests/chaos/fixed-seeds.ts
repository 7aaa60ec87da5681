/** Seeds whose sequences pass: the same ones every time, so that no landing fails by luck. New seeds are for the hunt by hand. */
export const fixedSeeds = {
  /** Short ones, for `npm test`: an evacuation, a restore and a drill, each killed. */
  few: [2172, 3437, 1144],
  /** For `.ci/run`: every kind of action, shape, trouble and end at least once. */
  many: [
    1, 13, 22, 24, 26, 27, 35, 48, 50, 58, 77, 82, 101, 109, 110, 136, 152, 158, 172, 175, 181, 185, 228, 231, 241, 242,
    245, 246, 261, 262, 290, 297, 302, 304, 311, 313, 320, 350, 352, 353, 359, 360, 368, 371, 382, 394, 403, 409, 414,
    418, 420, 426, 439, 455, 456, 475, 476, 485, 491, 493, 1144, 2172, 3437, 9560,
  ],
}
