type Values = Readonly<Record<string, unknown>>

/** Helm's rule: maps merge, anything else is replaced, and `null` removes a key. */
export function mergeValues(ours: Values, theirs: Values): Values {
  const merged: Record<string, unknown> = { ...ours }
  for (const [key, value] of Object.entries(theirs)) {
    const known = merged[key]
    if (value === null) delete merged[key]
    else merged[key] = isMap(known) && isMap(value) ? mergeValues(known, value) : value
  }
  return merged
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
