import { type CelError, refusedAt } from './cel-error.js'
import { type Token, tokensOf } from './tokens.js'

export type Expression =
  | { readonly kind: 'literal'; readonly type: 'string' | 'int' | 'uint' | 'bool'; readonly text: string; at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'field'; readonly of: Expression; readonly name: string; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  /** Operators are calls of functions such as `_==_`; a method has its subject in `of`. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly of?: Expression
      readonly args: readonly Expression[]
      readonly at: number
    }

/** Operators by their precedence, the loosest first. */
const levels = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']]

export function parseExpression(text: string): Expression {
  const parser = new Parser(text)
  const expression = parser.ternary()
  parser.expectEnd()
  return expression
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #text: string
  #next = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  ternary(): Expression {
    const condition = this.#binary(0)
    const at = this.#token.at
    if (!this.#takes('?')) return condition
    const yes = this.#binary(0)
    this.#expect(':')
    return { kind: 'call', name: '_?_:_', args: [condition, yes, this.ternary()], at }
  }

  expectEnd(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected()
  }

  #binary(level: number): Expression {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (let { text, at } = this.#token; this.#takesOne(operators); { text, at } = this.#token)
      left = { kind: 'call', name: `_${text}_`.replace('_in_', '@in'), args: [left, this.#binary(level + 1)], at }
    return left
  }

  #unary(): Expression {
    const { text, at } = this.#token
    if (this.#takesOne(['!', '-'])) return { kind: 'call', name: `${text}_`, args: [this.#unary()], at }
    return this.#postfix(this.#primary())
  }

  #postfix(start: Expression): Expression {
    let left = start
    for (let { at } = this.#token; this.#takes('.'); { at } = this.#token) {
      const name = this.#name()
      const call = this.#token.at
      left = this.#takes('(')
        ? { kind: 'call', name, of: left, args: this.#list(')'), at: call }
        : { kind: 'field', of: left, name, at }
    }
    if (this.#token.text === '[') throw refusedAt(this.#text, this.#token.at, 'this lab does not evaluate an index')
    return left
  }

  #primary(): Expression {
    const { kind, text, at } = this.#token
    if (this.#takes('(')) {
      const inner = this.ternary()
      this.#expect(')')
      return inner
    }
    if (this.#takes('[')) return { kind: 'list', items: this.#list(']'), at }
    if (kind === 'end' || kind === 'sign') throw this.#unexpected()
    this.#next++
    if (kind !== 'name') return { kind: 'literal', type: kind, text, at }
    if (text === 'true' || text === 'false') return { kind: 'literal', type: 'bool', text, at }
    const call = this.#token.at
    return this.#takes('(')
      ? { kind: 'call', name: text, args: this.#list(')'), at: call }
      : { kind: 'name', name: text, at }
  }

  #list(end: ')' | ']'): Expression[] {
    const items: Expression[] = []
    while (!this.#takes(end)) {
      if (items.length > 0) this.#expect(',')
      items.push(this.ternary())
    }
    return items
  }

  #name(): string {
    const { kind, text } = this.#token
    if (kind !== 'name') throw this.#unexpected()
    this.#next++
    return text
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '<EOF>', at: this.#text.length }
  }

  #takes(text: string): boolean {
    return this.#takesOne([text])
  }

  #takesOne(texts: readonly string[]): boolean {
    const { kind, text } = this.#token
    const fits = (kind === 'sign' || text === 'in') && texts.includes(text)
    if (fits) this.#next++
    return fits
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected()
  }

  #unexpected(): CelError {
    const { text, at } = this.#token
    return refusedAt(this.#text, at, `Syntax error: mismatched input '${text}'`)
  }
}
