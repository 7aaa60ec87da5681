import type { ApiToken } from '../proxmox/model/api-token.js'

/** Where a token is kept, for whoever uses it. */
export interface TokenHome {
  /** For people: `secret:proxmox.token`. */
  readonly location: string
  /** What is kept there now. */
  find(): Promise<ApiToken | undefined>
  /** Missing where only the user can put it there: the token is shown in its place. One write, so that nobody reads half of it. */
  readonly keep?: (token: ApiToken) => Promise<void>
  /** Why somebody may still use an older token than the one that is kept; `undefined` when nobody does. */
  olderInUse(): Promise<string | undefined>
}
