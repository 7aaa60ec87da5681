/** What `judge schema` writes of one release of Talos's library. */
export interface LibrarySchema {
  readonly kinds: Readonly<Record<string, { readonly type: string; readonly named: boolean }>>
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>
}
