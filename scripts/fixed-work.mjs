// A fixed amount of work, such as benches do: sorting, maps, texts, hashes. Times are compared with it in the same run, so that
// a slow or busy computer does not fail them.
import { createHash } from 'node:crypto'

/** What it takes on the computer that the limits of the benches were set on. */
export const referenceMs = 100

const rounds = 2
const size = 20_000

/** How long it takes here and now: the median of five. */
export function fixedWorkMs() {
  return medianOf(() => performance.now())
}

/** The same in CPU time, which others who use the computer do not stretch. */
export function fixedWorkCpuMs() {
  return medianOf(() => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  })
}

function medianOf(clock) {
  const times = Array.from({ length: 5 }, () => {
    const started = clock()
    work()
    return clock() - started
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
