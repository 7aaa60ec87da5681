import { timesOf } from './support/fleet.js'

const mebibyte = 1024 ** 2

/** A fleet that is all to be made, and one that is there and needs nothing: ten times the machines take at most twelve times as long. */
export default {
  name: 'plan of a fleet',
  async run() {
    const first = await timesOf(1000, 100)
    const memory = Math.round(process.memoryUsage.rss() / mebibyte)
    const small = await timesOf(1000, 500)
    const large = await timesOf(10_000, 500)
    const of = 'plan of 1,000 machines on 100 hosts'
    const growth = 'plan of 10,000 machines on 500 hosts over one of 1,000'
    return [
      { name: `${of}, all to be made`, value: Math.round(first.made), limit: 2000, unit: 'ms' },
      { name: `${of}, all there`, value: Math.round(first.there), limit: 2000, unit: 'ms' },
      { name: `${of}: memory of the process`, value: memory, limit: 500, unit: 'MB' },
      { name: `${growth}, all to be made`, ...ratio(large.made, small.made) },
      { name: `${growth}, all there`, ...ratio(large.there, small.there) },
    ]
  },
}

function ratio(one: number, other: number) {
  return { value: Math.round((one / other) * 10) / 10, limit: 12, unit: 'times' }
}
