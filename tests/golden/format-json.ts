const width = 140

/** JSON in which whatever fits is one line: a machine's options are read at a glance, and differences stay small. */
export function formatJson(value: unknown, indent = ''): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + short.length <= width) return short
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => `${inner}${formatJson(one, inner)}`).join(',\n')}\n${indent}]`
  }
  const lines = Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${formatJson(one, inner)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}
