export interface AccessCalls {
  /** Our own privileges on this path, however granted, and whether they apply below it. */
  privilegesOn(path: string, signal: AbortSignal): Promise<ReadonlyMap<string, boolean>>
  roles(signal: AbortSignal): Promise<ProxmoxRole[]>
  /** Creates it, or gives it exactly these privileges. */
  setRole(id: string, privileges: readonly string[], signal: AbortSignal): Promise<void>
  /** Does nothing if it does not exist; so do the other removals. */
  removeRole(id: string, signal: AbortSignal): Promise<void>
  /** `false` if it already exists. */
  createUser(id: string, comment: string, signal: AbortSignal): Promise<boolean>
  removeUser(id: string, signal: AbortSignal): Promise<void>
  /** Names of the user's tokens, without the part before `!`; `undefined` if the user does not exist. */
  findTokens(user: string, signal: AbortSignal): Promise<ProxmoxToken[] | undefined>
  /** The secret is returned only here. */
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
  /** Has only the privileges granted to itself, within those of its user. */
  readonly separated: boolean
  /** Seconds since 1970; 0 means never. */
  readonly expire?: number
}

export interface AclEntry {
  readonly path: string
  readonly kind: 'user' | 'group' | 'token'
  readonly subject: string
  readonly role: string
  readonly propagate: boolean
}
