const signs = {
  well: ['ok', '✓', 'well'],
  info: ['quiet', '·', 'note'],
  warns: ['warn', '!', 'warning'],
  blocks: ['bad', '✗', 'problem'],
  unseen: ['quiet', '?', 'not seen'],
} as const

export type SignKind = keyof typeof signs

/** A state by shape and colour, and as a word for those who hear the page. */
export function Sign({ kind }: { readonly kind: SignKind }) {
  const [colour, shape, word] = signs[kind]
  return (
    <span class={`sign ${colour}`}>
      <span aria-hidden="true">{shape}</span>
      <span class="hidden-text">{word}: </span>
    </span>
  )
}
