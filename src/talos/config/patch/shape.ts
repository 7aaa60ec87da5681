/** How a value is merged: what Talos's library does with a field of its type. */
export type Shape =
  /** Replaced, unless the new value is the zero value of this type. */
  | { readonly is: 'text' | 'number' }
  | { readonly is: 'choice'; readonly zero: string }
  /** Replaced, whatever the new value is. */
  | { readonly is: 'always' | 'flag' }
  /** An object without a schema. */
  | { readonly is: 'free'; readonly replaced: boolean }
  /** A map whose values are replaced key by key. */
  | { readonly is: 'args' }
  | { readonly is: 'map'; readonly of: Shape }
  | { readonly is: 'list'; readonly of: Shape; readonly replaced: boolean }
  /** A list whose elements are matched by a key. */
  | { readonly is: 'keyed'; readonly by: string; readonly of: Shape }
  /** Fields of a known type, merged one by one or replaced as a whole; a non-pointer is always present. */
  | { readonly is: 'fields'; readonly type: string; readonly alwaysThere: boolean; readonly replaced: boolean }

/** A document of this type. */
export function documentShape(type: string): Shape {
  return { is: 'fields', type, alwaysThere: true, replaced: false }
}

/** The shape for its short form in the table of known fields. */
export function parseShape(text: string): Shape {
  if (text.startsWith('=')) return replaced(parseShape(text.slice(1)))
  if (text.startsWith('[')) return { is: 'list', of: parseShape(text.slice(1, -1)), replaced: false }
  if (text.startsWith('{')) return { is: 'map', of: parseShape(text.slice(1, -1)) }
  if (text.startsWith('.')) return { is: 'fields', type: text.slice(1), alwaysThere: true, replaced: false }
  const choice = /^choice\((.*)\)$/.exec(text)
  if (choice !== null) return { is: 'choice', zero: choice[1] ?? '' }
  const keyed = /^(\w+)\[(.*)\]$/.exec(text)
  if (keyed !== null) return { is: 'keyed', by: keyed[1] ?? '', of: parseShape(keyed[2] ?? '') }
  return parseWord(text)
}

function parseWord(text: string): Shape {
  switch (text) {
    case 'text':
    case 'number':
    case 'always':
    case 'flag':
    case 'args':
      return { is: text }
    case 'free':
      return { is: 'free', replaced: false }
    default:
      return { is: 'fields', type: text, alwaysThere: false, replaced: false }
  }
}

function replaced(shape: Shape): Shape {
  return shape.is === 'list' || shape.is === 'free' || shape.is === 'fields' ? { ...shape, replaced: true } : shape
}
