import type { Workshop } from './workshop.js'

/** One thing that ichor and the other program must agree on. */
export interface Check {
  readonly title: string
  readonly run: (shop: Workshop) => Promise<void>
}
