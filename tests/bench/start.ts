import { spawnSync } from 'node:child_process'

const runs = 15

/** Side by side, so that a busy machine slows both. */
export default {
  name: 'ichor --help, in times of node -e 0',
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const own: number[] = []
    const bare: number[] = []
    for (let run = 0; run < runs; run++) {
      bare.push(timeOf(['-e', '0']))
      own.push(timeOf(['dist/bin.js', '--help']))
    }
    return { value: Number((median(own) / median(bare)).toFixed(2)), limit: 3, unit: 'times' }
  },
}

function timeOf(words: readonly string[]): number {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`)
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
