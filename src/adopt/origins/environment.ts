import { FileError } from '../../errors.js'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variables of a talenv file: `NAME: value` or `NAME=value`, in quotes or not. */
export function readEnvironment(text: string): Environment {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? []
    return name === undefined ? [] : [[name, unquoted(value)] as const]
  })
  return Object.fromEntries(lines)
}

function unquoted(value: string): string {
  const [, quote, inner = ''] = /^(["'])(.*?)\1(?:\s+#.*)?$/.exec(value) ?? []
  if (quote === '"') return inner.replaceAll('\\n', '\n').replaceAll('\\"', '"')
  return quote === "'" ? inner : value.replace(/\s+#.*$/, '')
}

/** Variables in text as envsubst replaces them for talhelper: `$NAME`, `${NAME}`, `${NAME:-default}`; `$$` is one `$`. */
export function substituted(text: string, variables: Environment, where: string): string {
  const missing = new Set<string>()
  const withoutComments = text.replaceAll(/^\s*#.*$/gm, '')
  const result = withoutComments.replaceAll(
    /\$\$|\$\{([A-Za-z_]\w*)(?::?([-+=])([^}]*))?\}|\$([A-Za-z_]\w*)/g,
    (all, braced?: string, operator?: string, word = '', plain?: string) => {
      if (all === '$$') return '$'
      const name = braced ?? plain ?? ''
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (operator === '+') return value === undefined || value === '' ? '' : word
      if (value !== undefined && value !== '') return value
      if (operator !== undefined) return word
      missing.add(name)
      return ''
    },
  )
  if (missing.size === 0) return result
  throw new FileError(`Variables are not set: ${[...missing].join(', ')}.`, {
    where,
    fix: 'Write them into talenv.yaml, or set them as for `talhelper genconfig`.',
  })
}
