import type { ApiToken } from '../proxmox/model/api-token.js'

/** Where a token is stored. */
export interface TokenHome {
  /** For messages: `secret:proxmox.token`. */
  readonly location: string
  /** The stored token. */
  find(): Promise<ApiToken | undefined>
  /**
   * Missing if only the user can store it: then the token is shown. One atomic write, so that no reader sees half of
   * it.
   */
  readonly keep?: (token: ApiToken) => Promise<void>
  /** Why an older token than the stored one may still be in use; `undefined` if it is not. */
  olderInUse(): Promise<string | undefined>
}
