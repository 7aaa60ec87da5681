/** Sorts names with numbers in them as people count: `dev-w-2` before `dev-w-10`. */
export function compareNames(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)]
  const index = first.findIndex((part, at) => part !== second[at])
  if (index === -1) return first.length - second.length
  return compareParts(first[index] ?? '', second[index] ?? '')
}

/** Digits and what stands between them, in turn. */
function partsOf(name: string): string[] {
  return name.match(/\d+|\D+/g) ?? []
}

function compareParts(one: string, other: string): number {
  const byNumber = Number(one) - Number(other)
  return byNumber || (one < other ? -1 : 1)
}
