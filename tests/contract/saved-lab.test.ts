import { expect, test } from 'vitest'
import { aStage, clusterYaml } from '../support/lab.js'

test('a lab with a cluster of three and two is saved and goes on elsewhere, and there is nothing left to do', async () => {
  const first = await aStage({ files: { 'cluster.yaml': clusterYaml() } })
  try {
    expect((await first.up()).outcome).toBe('done')
    const started = performance.now()
    const saved = JSON.parse(JSON.stringify(first.lab.save()))
    const savedMs = performance.now() - started
    await first.lab.close()

    const resumed = performance.now()
    const again = await aStage({ files: {}, folder: first.folder, resume: saved })
    console.log(`saved in ${savedMs.toFixed(0)} ms, back in ${(performance.now() - resumed).toFixed(0)} ms`)
    try {
      expect((await again.up()).outcome).toBe('nothing-to-do')
      expect(again.lab.talos.machines()).toHaveLength(5)
    } finally {
      await again.close()
    }
  } finally {
    await first.close()
  }
})
