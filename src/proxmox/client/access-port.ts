export interface AccessCalls {
  /** The privileges that we ourselves have on this path, whichever way we got them, and whether they count below it. */
  privilegesOn(path: string, signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>
  roles(signal: AbortSignal): Promise<ProxmoxRole[]>
  /** Makes it, or gives it exactly these privileges. */
  setRole(id: string, privileges: readonly string[], signal: AbortSignal): Promise<void>
  /** Nothing happens when it is gone already; nor do the other removals. */
  removeRole(id: string, signal: AbortSignal): Promise<void>
  /** `false` when it was there already. */
  createUser(id: string, comment: string, signal: AbortSignal): Promise<boolean>
  removeUser(id: string, signal: AbortSignal): Promise<void>
  /** Names of the user's tokens, without the part before `!`; `undefined` when there is no such user. */
  findTokens(user: string, signal: AbortSignal): Promise<ProxmoxToken[] | undefined>
  /** The secret is reported this once. */
  createToken(user: string, token: ProxmoxToken, signal: AbortSignal): Promise<{ id: string; secret: string }>
  removeToken(user: string, name: string, signal: AbortSignal): Promise<void>
  acl(signal: AbortSignal): Promise<AclEntry[]>
  grant(entry: AclEntry, signal: AbortSignal): Promise<void>
  revoke(entry: AclEntry, signal: AbortSignal): Promise<void>
}

export interface ProxmoxRole {
  readonly id: string
  readonly privileges: readonly string[]
  readonly builtIn: boolean
}

export interface ProxmoxToken {
  readonly name: string
  readonly comment?: string
  /** May do only what it was itself granted, within what its user may. */
  readonly separated: boolean
  /** Seconds since 1970; 0 is never. */
  readonly expire?: number
}

export interface AclEntry {
  readonly path: string
  readonly kind: 'user' | 'group' | 'token'
  readonly subject: string
  readonly role: string
  readonly propagate: boolean
}
