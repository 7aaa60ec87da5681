/** The values of a node label of which a PersistentVolume requires one, from its `spec`. */
export function requiredLabelValues(spec: unknown, label: string): string[] {
  const { required } = recordOf(recordOf(spec).nodeAffinity)
  const terms = itemsOf(recordOf(required).nodeSelectorTerms).flatMap((term) => itemsOf(term.matchExpressions))
  return terms
    .filter(({ key }) => key === label)
    .flatMap(({ values }) => (Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []))
}

/** The fields of an external object; empty if it is not an object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function itemsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
