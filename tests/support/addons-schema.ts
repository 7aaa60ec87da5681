import { z } from 'zod'
import { createAddonsSchema } from '../../src/addons/schema.js'

/** The `addons` section with plain texts for secrets and storages. */
export const addonsSchema = createAddonsSchema({
  port: z.int().min(1).max(65_535),
  storageName: z.string().min(1),
  secret: z.string().min(1),
})
