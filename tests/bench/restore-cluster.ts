import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

/** At most 10: whatever lab and client compute in this one process counts so many times over. */
const speed = 5
const patience = 600_000

/** Three control planes and three workers on emptied hosts, against what the lab itself needs at the very least. */
export default {
  name: 'restore of 3+3',
  async run() {
    const options = { topology: aTopology({ hosts: 3 }), speed: 500 }
    const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 3 }) }
    const program = await aProgram(files, options)
    try {
      await succeeds(program, ['up', '--yes'])
      const { json } = await succeeds(program, ['backup', '--json'])
      const { snapshot } = json().at(-1) as { snapshot: { name: string } }
      await program.loseEverything({ ...options, speed })
      await rm(join(program.folder, '.ichor'), { recursive: true, force: true })
      const start = performance.now()
      await succeeds(program, ['restore', snapshot.name, '--yes'])
      const took = performance.now() - start
      const path = program.lab().lab.criticalPath() / speed
      return [
        {
          name: `restore of 3+3 on three emptied hosts, against the critical path of ${Math.round(path)} ms at speed ${speed}`,
          value: Math.round((took / path) * 100) / 100,
          limit: 1.15,
          unit: 'times',
        },
      ]
    } finally {
      await program.close()
    }
  },
}

async function succeeds(program: Program, words: readonly string[]) {
  const ran = await program.ichor(words, {}, AbortSignal.timeout(patience))
  if (ran.code !== 0) throw new Error(`ichor ${words.join(' ')} ended with ${ran.code}: ${ran.stderr.slice(-1000)}`)
  return ran
}
