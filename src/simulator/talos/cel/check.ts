import { type CelError, refusedAt } from './cel-error.js'
import { literalOf } from './literal.js'
import { type CelType, type CelValue, overloads } from './overloads.js'
import type { Expression } from './parse.js'
import { eitherDecides, getValue, isEqual, listOf, type Values } from './values.js'

/** What an expression may name: variables, and the fields of those that are objects. */
export interface Scope {
  readonly variables: Readonly<Record<string, CelType>>
  readonly objects: Readonly<Record<string, Readonly<Record<string, CelType>>>>
}

export interface Checked {
  readonly type: CelType
  run(values: Values): CelValue
}

type Of<Kind> = Extract<Expression, { kind: Kind }>

/** Checks the types, as Talos does before it accepts a config. */
export function checkExpression(text: string, expression: Expression, scope: Scope): Checked {
  return new Checker(text, scope).check(expression)
}

class Checker {
  readonly #text: string
  readonly #scope: Scope

  constructor(text: string, scope: Scope) {
    this.#text = text
    this.#scope = scope
  }

  check(expression: Expression): Checked {
    if (expression.kind === 'literal') return literalOf(expression)
    if (expression.kind === 'name') return this.#variable(expression)
    if (expression.kind === 'field') return this.#field(expression)
    if (expression.kind === 'list') return this.#list(expression)
    return this.#logic(expression) ?? this.#macro(expression) ?? this.#call(expression)
  }

  #variable({ name, at }: Of<'name'>): Checked {
    const type = this.#scope.variables[name]
    if (type === undefined) throw this.#refuse(at, `undeclared reference to '${name}' (in container '')`)
    return { type, run: (values) => getValue(values, name) }
  }

  #field({ of, name, at }: Of<'field'>): Checked {
    const fields = of.kind === 'name' ? this.#scope.objects[of.name] : undefined
    if (of.kind !== 'name' || fields === undefined) {
      const { type } = this.check(of)
      throw this.#refuse(at, `type '${type}' does not support field selection`)
    }
    const type = fields[name]
    if (type === undefined) throw this.#refuse(at, `undefined field '${name}'`)
    return { type, run: (values) => getValue(values, `${of.name}.${name}`) }
  }

  #list({ items, at }: Of<'list'>): Checked {
    const checked = items.map((item) => this.check(item))
    const [type = 'string'] = checked.map((item) => item.type)
    if (checked.some((item) => item.type !== type)) throw this.#refuse(at, 'this lab does not evaluate a mixed list')
    return { type: `list(${type})`, run: (values) => checked.map((item) => item.run(values)) }
  }

  /** One side can decide although the other fails. */
  #logic({ name, args, at }: Of<'call'>): Checked | undefined {
    const decides = { '_||_': true, '_&&_': false }[name]
    if (decides === undefined) return undefined
    const sides = args.map((arg) => this.check(arg))
    if (sides.some(({ type }) => type !== 'bool')) throw this.#noOverload(at, name, sides)
    return { type: 'bool', run: (values) => eitherDecides(sides, values, decides) }
  }

  #macro({ name, of, args, at }: Of<'call'>): Checked | undefined {
    const [variable, condition] = args
    if (of === undefined || variable?.kind !== 'name' || condition === undefined) return undefined
    if (name !== 'exists' && name !== 'all' && name !== 'exists_one') return undefined
    const list = this.check(of)
    const item = /^list\((.*)\)$/.exec(list.type)?.[1] as CelType | undefined
    if (item === undefined)
      throw this.#refuse(at, `expression of type '${list.type}' cannot be range of a comprehension`)
    const variables = { ...this.#scope.variables, [variable.name]: item }
    const inner = new Checker(this.#text, { ...this.#scope, variables }).check(condition)
    if (inner.type !== 'bool') throw this.#refuse(condition.at, `expected type 'bool' but found '${inner.type}'`)
    return {
      type: 'bool',
      run: (values) => {
        const items = list.run(values) as readonly CelValue[]
        const hits = items.filter((value) => inner.run({ ...values, [variable.name]: value }) === true).length
        return { exists: hits > 0, all: hits === items.length, exists_one: hits === 1 }[name]
      },
    }
  }

  #call({ name, of, args, at }: Of<'call'>): Checked {
    const given = [...(of === undefined ? [] : [of]), ...args].map((arg) => this.check(arg))
    const found = this.#special(name, given) ?? this.#overload(of === undefined ? name : `.${name}`, given)
    if (found !== undefined) return found
    const isKnown = overloads.has(name) || overloads.has(`.${name}`) || /\W/.test(name) || name === '_?_:_'
    if (!isKnown) throw this.#refuse(at, `this lab does not evaluate '${name}'`)
    throw this.#noOverload(at, name, given)
  }

  #overload(name: string, given: readonly Checked[]): Checked | undefined {
    const types = given.map(({ type }) => type).join()
    const known = overloads.get(name) ?? (name === '.size' ? overloads.get('size') : undefined)
    const found = known?.find(({ takes }) => takes.join() === types)
    if (found === undefined) return undefined
    return { type: found.gives, run: (values) => found.run(...given.map((one) => one.run(values))) }
  }

  /** Functions for every type. */
  #special(name: string, [first, second, third]: readonly Checked[]): Checked | undefined {
    if (first === undefined || second === undefined) return undefined
    const equal = (values: Values) => isEqual(first.run(values), second.run(values))
    if (name === '_==_' && first.type === second.type) return { type: 'bool', run: equal }
    if (name === '_!=_' && first.type === second.type) return { type: 'bool', run: (values) => !equal(values) }
    if (name === '@in' && second.type === `list(${first.type})`)
      return {
        type: 'bool',
        run: (values) => listOf(second.run(values)).some((one) => isEqual(one, first.run(values))),
      }
    if (name === '_?_:_' && first.type === 'bool' && third !== undefined && second.type === third.type)
      return { type: third.type, run: (values) => (first.run(values) === true ? second : third).run(values) }
    return undefined
  }

  #noOverload(at: number, name: string, given: readonly Checked[]): CelError {
    const types = given.map(({ type }) => type).join(', ')
    return this.#refuse(at, `found no matching overload for '${name}' applied to '(${types})'`)
  }

  #refuse(at: number, why: string): CelError {
    return refusedAt(this.#text, at, why)
  }
}
