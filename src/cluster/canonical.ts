/** JSON with sorted keys and without undefined values: the same value always has the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (isRecord(one) ? sorted(one) : one))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(record)
      .toSorted()
      .map((key) => [key, record[key]]),
  )
}
