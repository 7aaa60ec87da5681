import { schemaOf } from '../../../src/talos/config/patch/schema.js'
import type { Shape } from '../../../src/talos/config/patch/shape.js'
import type { LibrarySchema } from './library-schema.js'

/** Our table of known fields as one minor sees it, in the words of `judge schema`. */
export function schemaView(minor: number): LibrarySchema {
  const { kinds, types } = schemaOf(minor, minor)
  return {
    kinds: Object.fromEntries([...kinds].map(([name, { type, isNamed }]) => [name, { type, named: isNamed }])),
    types: Object.fromEntries(
      [...types].map(([name, fields]) => [
        name,
        Object.fromEntries([...fields].map(([key, shape]) => [key, words(shape)])),
      ]),
    ),
  }
}

function words(shape: Shape): string {
  switch (shape.is) {
    case 'choice':
      return `choice(${shape.zero})`
    case 'fields':
      return `${shape.replaced ? 'replaced ' : ''}${shape.alwaysThere ? 'value ' : ''}${shape.type}`
    case 'free':
      return shape.replaced ? 'replaced free' : 'free'
    case 'list':
      return `${shape.replaced ? 'replaced ' : ''}list ${words(shape.of)}`
    case 'map':
      return `map ${words(shape.of)}`
    case 'keyed':
      return `keyed ${shape.by} ${words(shape.of)}`
    default:
      return shape.is
  }
}
