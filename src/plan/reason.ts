import type { Change } from '../events/plan-view.js'

/** Why a step is planned, with the values that it changes: the rows of a plan and its JSON come from the same ones. */
export interface Reason {
  readonly text: string
  readonly values: readonly Change[]
  /** The text names fields of a config: the same for people who do not know them. */
  readonly sentences?: readonly string[]
}

/** `Talos v1.13.8 -> v1.13.9`, and what it means. */
export function changing(value: Change, more = ''): Reason {
  return { text: `${inWords(value)}${more}`, values: [value] }
}

/** `ram 4 GiB -> 8 GiB`. */
export function inWords({ what, from, to }: Change): string {
  return `${what} ${from ?? 'unset'} -> ${to ?? 'unset'}`
}
