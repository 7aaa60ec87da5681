import type { CelType, CelValue } from './overloads.js'
import type { Expression } from './parse.js'

type Literal = Extract<Expression, { kind: 'literal' }>

export function literalOf({ type, text }: Literal): { type: CelType; run(): CelValue } {
  const value = read(type, text)
  return { type, run: () => value }
}

function read(type: Literal['type'], text: string): CelValue {
  if (type === 'bool') return text === 'true'
  if (type === 'string') return unquoted(text)
  return BigInt(type === 'uint' ? text.slice(0, -1) : text)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
}
