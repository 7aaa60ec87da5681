import { z } from 'zod'
import { documentSchema } from './schema.js'

/** JSON Schema (draft 7, which editors support) of cluster.yaml, generated from the definition that validates it. */
export function inventoryJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(documentSchema, { io: 'input', target: 'draft-7' })
  return { ...schema, title: 'ichor inventory', description: 'A Talos cluster on Proxmox, as applied by `ichor up`.' }
}
