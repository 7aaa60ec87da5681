// A fixed amount of work, such as benches do: sorting, maps, texts, hashes. Times are compared with it in the same run, so that
// a slow or busy computer does not fail them.
import { createHash } from 'node:crypto'

/** What it takes on the computer that the limits of the benches were set on. */
export const referenceMs = 100

const rounds = 2
const size = 20_000

/** How long it takes here and now: the median of five. */
export function fixedWorkMs() {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return times.sort((one, other) => one - other)[2]
}

function work() {
  let seed = 1
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed
  }
  for (let round = 0; round < rounds; round++) {
    const items = Array.from({ length: size }, () => ({ name: `node-${next()}`, value: next() }))
    const byName = new Map(items.map((item) => [item.name, item]))
    const sorted = [...byName.values()].sort((one, other) => one.name.localeCompare(other.name))
    createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  }
}
