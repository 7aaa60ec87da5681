import type { RunEvent } from '../../events/event.js'
import type { PageState, PlanAnswer } from '../../page/state.js'

/** Where the page has its data from: a server, or the file that it is in. */
export interface Source {
  readonly isLive: boolean
  /** `undefined`: nothing is new since the last time. */
  state(): Promise<PageState | undefined>
  plan(cluster: number): Promise<PlanAnswer>
  run(cluster: number, run: string): Promise<readonly RunEvent[]>
  /** Events after the given number, then new ones, until the signal. Comes back after a cut. */
  follow(request: FollowRequest): Promise<void>
  lookNow(cluster: number): Promise<void>
  carryOut(cluster: number, approval: { readonly digest: string; readonly name: string }): Promise<void>
}

export interface FollowRequest {
  readonly cluster: number
  readonly run: string
  readonly since: number
  readonly signal: AbortSignal
  onEvents(events: readonly RunEvent[]): void
  /** Whether events come in now. */
  onLink(isUp: boolean): void
}
