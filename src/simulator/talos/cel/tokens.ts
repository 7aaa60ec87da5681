import { type CelError, refusedAt } from './cel-error.js'

export interface Token {
  readonly kind: 'name' | 'string' | 'int' | 'uint' | 'sign' | 'end'
  readonly text: string
  /** Offset in the expression. */
  readonly at: number
}

const parts =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<uint>\d+[uU])|(?<int>\d+(?![.\w]))|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<sign>&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]]))/y

/** The tokens of a one-line expression. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    parts.lastIndex = at
    const found = parts.exec(text)
    const [kind, value] = Object.entries(found?.groups ?? {}).find(([, part]) => part !== undefined) ?? []
    if (kind === undefined || value === undefined) throw unreadable(text, at)
    at = parts.lastIndex
    tokens.push({ kind: kind as Token['kind'], text: value, at: at - value.length })
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: text.length }]
}

function unreadable(text: string, from: number): CelError {
  const at = from + (/\S/.exec(text.slice(from))?.index ?? 0)
  return refusedAt(text, at, `Syntax error: token recognition error at: '${text.slice(at, at + 2)}'`)
}
