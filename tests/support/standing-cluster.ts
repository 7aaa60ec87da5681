import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { anInventoryFolder, aStage, type Stage } from './lab.js'

const secretsFile = 'secrets.lab.yaml'

/** A cluster with plain secrets that is made once for all stories of a test file; each of them opens it as it was made. */
export function standingCluster(options: Pick<Parameters<typeof aStage>[0], 'files' | 'topology'>): {
  open(options?: { readonly speed?: number }): Promise<Stage>
} {
  let made: { readonly lab: ReturnType<Stage['lab']['save']>; readonly folder: string; readonly secrets: string }
  beforeAll(async () => {
    const folder = await anInventoryFolder(options.files)
    const builder = await aStage({ ...options, speed: 1500, folder })
    await builder.up()
    made = { lab: builder.lab.save(), folder, secrets: await readFile(join(folder, secretsFile), 'utf8') }
    await builder.close()
  }, 120_000)
  afterAll(() => rm(made.folder, { recursive: true, force: true }))
  return {
    open: async ({ speed = 1000 } = {}) => {
      const stage = await aStage({ ...options, speed, folder: made.folder, resume: made.lab })
      await stage.write(secretsFile, made.secrets)
      return stage
    },
  }
}
