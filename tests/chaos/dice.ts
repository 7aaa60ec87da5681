/** Choices that only look like chance: the same seed, the same choices. */
export interface Dice {
  /** From 0 to 1, never 1 itself. */
  draw(): number
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** By weight: `[3, 'often'], [1, 'seldom']`. */
  weighted<T>(choices: readonly (readonly [number, T])[]): T
}

export function createDice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1))
  return {
    draw,
    between,
    chance: (probability) => draw() < probability,
    pick: (choices) => {
      const chosen = choices[between(0, choices.length - 1)]
      if (chosen === undefined) throw new Error('There is nothing to choose from.')
      return chosen
    },
    weighted: (choices) => {
      let left = draw() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      throw new Error('There is nothing to choose from.')
    },
  }
}
