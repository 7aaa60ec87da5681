import { isSeq } from 'yaml'
import type { ConfigObject } from '../config-value.js'
import type { Patch } from '../talos-machine.js'
import { applyJsonPatch } from './json-patch.js'
import { parsePatch } from './patch-text.js'
import type { Schema } from './schema.js'
import { applyStrategicMerge } from './strategic-merge.js'

/**
 * The documents after all patches in order: strategic merges by Talos's rules, and lists of JSON operations (RFC 6902).
 */
export function applyPatches(
  documents: readonly ConfigObject[],
  patches: readonly Patch[],
  schema: Schema,
): readonly ConfigObject[] {
  return patches.reduce((patched, patch) => applyPatch(patched, patch, schema), documents)
}

function applyPatch(documents: readonly ConfigObject[], patch: Patch, schema: Schema): readonly ConfigObject[] {
  const text = parsePatch(patch)
  const [first] = text.documents
  return isSeq(first?.contents) ? applyJsonPatch(documents, text, schema) : applyStrategicMerge(documents, text, schema)
}
