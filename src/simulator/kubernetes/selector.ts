import { isMap, type JsonMap, type StoredObject, valueAt } from './object.js'

export type Matcher = (labels: Readonly<Record<string, string>>) => boolean

/** `app=web,tier!=db,env in (a,b),!legacy`; throws an error with the invalid part. */
export function parseLabelSelector(text: string): Matcher {
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim())
  const matchers = parts.filter(Boolean).map(parseRequirement)
  return (labels) => matchers.every((matches) => matches(labels))
}

function parseRequirement(text: string): Matcher {
  const membership = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text)
  if (membership !== null) {
    const [, key = '', operator, list = ''] = membership
    const values = list.split(',').map((value) => value.trim())
    return operator === 'in'
      ? (labels) => key in labels && values.includes(labels[key] ?? '')
      : (labels) => !(key in labels) || !values.includes(labels[key] ?? '')
  }
  const equality = /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/.exec(text)
  if (equality !== null) {
    const [, key = '', operator, value] = equality
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value
  }
  const absence = /^!\s*(\S+)$/.exec(text)
  if (absence !== null) return (labels) => !((absence[1] ?? '') in labels)
  if (/^[^\s=!()]+$/.test(text)) return (labels) => text in labels
  throw new Error(`unable to parse requirement: found '${text}'`)
}

/** The `matchLabels` and `matchExpressions` of an object. An empty selector matches everything. */
export function matcherOf(selector: unknown): Matcher {
  if (!isMap(selector)) return () => false
  const wanted = Object.entries(isMap(selector.matchLabels) ? selector.matchLabels : {})
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isMap) : []
  return (labels) =>
    wanted.every(([key, value]) => labels[key] === value) && expressions.every((one) => meets(one, labels))
}

/** One `{key, operator, values}` of label selectors and node affinity. */
export function meets(expression: JsonMap, labels: Readonly<Record<string, string>>): boolean {
  const key = String(expression.key)
  const values = Array.isArray(expression.values) ? expression.values.map(String) : []
  switch (expression.operator) {
    case 'In':
      return key in labels && values.includes(labels[key] ?? '')
    case 'NotIn':
      return !(key in labels) || !values.includes(labels[key] ?? '')
    case 'Exists':
      return key in labels
    case 'DoesNotExist':
      return !(key in labels)
    default:
      return false
  }
}

/** `metadata.name=a,spec.nodeName!=b`. A field that an object lacks counts as empty. */
export function parseFieldSelector(text: string): (object: StoredObject) => boolean {
  const terms = text.split(',').filter(Boolean).map(parseFieldTerm)
  return (object) =>
    terms.every(({ path, value, negated }) => (String(valueAt(object, ...path) ?? '') === value) !== negated)
}

function parseFieldTerm(term: string) {
  const match = /^([\w.]+)(==|=|!=)(.*)$/.exec(term)
  if (match === null) throw new Error(`invalid field selector: ${term}`)
  const [, path = '', operator, value = ''] = match
  return { path: path.split('.'), value, negated: operator === '!=' }
}
