import type { z } from 'zod'
import type { AddonsSettings } from '../../addons/resolve-addons.js'
import { createAddonsSchema } from '../../addons/schema.js'
import { port, secret, storageName } from './values.js'

/** What is installed in the cluster: every addon of the catalogue with its options, and any other chart or manifest. */
export const addons: z.ZodType<AddonsSettings> = createAddonsSchema({ port, secret, storageName })
