/** Where to find a secret. It stays unresolved until it is needed, so that settings can be shown. */
export type SecretRef =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'secret'; readonly name: string }
  /** `vault://mount/path#name`. */
  | { readonly kind: 'vault'; readonly reference: string }
  /** Written in the inventory itself; behind a function, so that it is not printed with the rest. */
  | { readonly kind: 'plain'; readonly reveal: () => string }

/** `env:NAME`, `file:PATH`, `secret:NAME`, `vault://mount/path#name`; anything else is the secret itself. */
export function parseSecretRef(text: string): SecretRef {
  const [, kind, rest = ''] = /^(env|file|secret):(.+)$/.exec(text) ?? []
  if (kind === 'env') return { kind, name: rest }
  if (kind === 'file') return { kind, path: rest }
  if (kind === 'secret') return { kind, name: rest }
  if (/^vault:\/\/[^#]+#.+$/.test(text)) return { kind: 'vault', reference: text }
  return { kind: 'plain', reveal: () => text }
}
