import { type Document, LineCounter, type Node, parseAllDocuments } from 'yaml'
import type { Patch } from '../talos-machine.js'
import { PatchError } from './patch-error.js'

/** The text of a patch, with positions in its source file. */
export interface PatchText {
  readonly documents: readonly Document.Parsed[]
  /** An error at this node, or at the start of the patch. */
  readonly refuse: (problem: string, fix: string, node?: Node | null) => PatchError
}

export function parsePatch(patch: Patch): PatchText {
  const lines = new LineCounter()
  const parsed = parseAllDocuments(patch.text, { lineCounter: lines, version: '1.2', strict: true })
  const lineAt = (offset: number) => patch.line + lines.linePos(offset).line - 1
  const refuse = (problem: string, fix: string, node?: Node | null) =>
    new PatchError(problem, { where: `${patch.source}:${lineAt(node?.range?.[0] ?? 0)}`, fix })
  const documents = Array.isArray(parsed) ? parsed : []
  for (const { errors } of documents) {
    const [first] = errors
    if (first === undefined) continue
    throw new PatchError(`The patch is not YAML: ${first.message.split('\n')[0]}`, {
      where: `${patch.source}:${lineAt(first.pos[0])}`,
      fix: 'Correct the text at this line.',
    })
  }
  return { documents, refuse }
}
