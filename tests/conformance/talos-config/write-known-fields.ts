import { readFileSync, writeFileSync } from 'node:fs'
import type { LibrarySchema } from './library-schema.js'

/**
 * Makes `src/talos/config/patch/known-fields.ts` of the schemas that `judge schema` wrote for each minor.
 * Arguments: the folder with `schema-8.json` … `schema-14.json`, and the file to write.
 */
const [folder = '', target = ''] = process.argv.slice(2)
const minors = [8, 9, 10, 11, 12, 13, 14]
const schemas = minors.map((minor): LibrarySchema => JSON.parse(readFileSync(`${folder}/schema-${minor}.json`, 'utf8')))

/** `@12` or `@8-11` behind a name, where it is not there in all of them. */
function spans(present: readonly boolean[]): string {
  const first = present.indexOf(true)
  const last = present.lastIndexOf(true)
  const from = minors[first]
  const until = minors[last]
  if (last === minors.length - 1) return first === 0 ? '' : `@${from}`
  return from === until ? `@${from}-${from}` : `@${from}-${until}`
}

function compact(shape: string): string {
  const [head = '', ...rest] = shape.split(' ')
  if (head === 'replaced') return `=${compact(rest.join(' '))}`
  if (head === 'value') return `.${compact(rest.join(' '))}`
  if (head === 'list') return `[${compact(rest.join(' '))}]`
  if (head === 'map') return `{${compact(rest.join(' '))}}`
  if (head === 'keyed') return `${rest[0]}[${compact(rest.slice(1).join(' '))}]`
  return shape
}

function entries(values: readonly (string | undefined)[], name: string): string[] {
  const shapes = [...new Set(values.filter((value) => value !== undefined))]
  return shapes.map((shape) => `${name}${spans(values.map((value) => value === shape))}:${compact(shape)}`)
}

function namesOf(pick: (schema: LibrarySchema) => object): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys(pick(schema))))].sort()
}

const kinds = namesOf((schema) => schema.kinds).map((kind) => {
  const known = schemas.map((schema) => schema.kinds[kind])
  const latest = known.findLast((one) => one !== undefined)
  return `${kind}${spans(known.map((one) => one !== undefined))}${latest?.named ? '!' : ''} ${latest?.type}`
})

const types = namesOf((schema) => schema.types).map((type) => {
  const fields = [...new Set(schemas.flatMap((schema) => Object.keys(schema.types[type] ?? {})))].sort()
  const words = fields.flatMap((field) =>
    entries(
      schemas.map((schema) => schema.types[type]?.[field]),
      field,
    ),
  )
  return [type + spans(schemas.map((schema) => schema.types[type] !== undefined)), ...words].join(' ')
})

const code = (name: string, comment: string, lines: readonly string[]) =>
  `/** ${comment} */\nexport const ${name} = \`\n${lines.join('\n')}\n\`\n`

writeFileSync(
  target,
  [
    '// Written by tests/conformance/talos-config/run.sh --write-known-fields from what Talos 1.8 to 1.14 know; conformance checks it.\n',
    code('knownKinds', 'Kinds of documents: `name@first-last`, `!` where it has a name, and its type.', kinds),
    code(
      'knownTypes',
      'Types: `name@first-last`, then each field with its shape, which determines how it is merged.',
      types,
    ),
  ].join('\n'),
)
