import { join } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { inventoryJsonSchema } from '../inventory/json-schema.js'
import { cannotWrite } from './cannot-write.js'

export const schemaFile = 'cluster.schema.json'

/** The first line of an inventory, for editors with a YAML language server. */
export const schemaComment = `# yaml-language-server: $schema=./${schemaFile}\n`

/** Writes the JSON Schema next to an inventory, so that editors find it offline. */
export async function writeSchema(folder: string): Promise<void> {
  const path = join(folder, schemaFile)
  const text = `${JSON.stringify(inventoryJsonSchema(), null, 2)}\n`
  await writeDurably(path, text, { mode: 0o644 }).catch(cannotWrite(path))
}
