/** What a grid needs to know of a step. */
export interface Placed {
  readonly id: string
  readonly round: number
  readonly machine: string | null
  readonly after: readonly string[]
}

/** Machines against waves. A wave is a part of a round: its steps depend only on those of earlier waves. */
export interface Grid<T extends Placed> {
  readonly columns: readonly { readonly round: number; readonly wave: number }[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly (readonly T[])[] }[]
}

/** Steps that concern no single machine. */
export const clusterRow = 'cluster'

const byNumber = new Intl.Collator('en', { numeric: true })

export function gridOf<T extends Placed>(steps: readonly T[]): Grid<T> {
  const waves = wavesOf(steps)
  const keyOf = (step: T) => step.round * 10_000 + (waves.get(step.id) ?? 0)
  const keys = [...new Set(steps.map(keyOf))].sort((one, other) => one - other)
  const columnOf = new Map(keys.map((key, index) => [key, index]))
  const rows = new Map<string, T[][]>()
  for (const step of steps) {
    const name = step.machine ?? clusterRow
    const cells = rows.get(name) ?? keys.map((): T[] => [])
    cells[columnOf.get(keyOf(step)) ?? 0]?.push(step)
    rows.set(name, cells)
  }
  const names = [...rows.keys()].sort((one, other) =>
    one === clusterRow ? -1 : other === clusterRow ? 1 : byNumber.compare(one, other),
  )
  return {
    columns: keys.map((key) => ({ round: Math.floor(key / 10_000), wave: key % 10_000 })),
    rows: names.map((name) => ({ name, cells: rows.get(name) ?? [] })),
  }
}

/** The longest way to each step through those of its round. A cycle, which a plan never has, does not hang. */
function wavesOf(steps: readonly Placed[]): Map<string, number> {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const waves = new Map<string, number>()
  const waveOf = (step: Placed): number => {
    const known = waves.get(step.id)
    if (known !== undefined) return known
    waves.set(step.id, 0)
    const before = step.after.flatMap((id) => byId.get(id) ?? []).filter(({ round }) => round === step.round)
    const wave = before.reduce((most, one) => Math.max(most, waveOf(one) + 1), 0)
    waves.set(step.id, wave)
    return wave
  }
  for (const step of steps) waveOf(step)
  return waves
}
