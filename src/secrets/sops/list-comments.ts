import { type Document, isNode, type Scalar, visit, type YAMLSeq } from 'yaml'

/** `sops` stores the comments of a list as encrypted items. Turns those items into comments again. */
export function liftListComments(document: Document, comments: ReadonlyMap<Scalar, string>): void {
  if (comments.size > 0) visit(document, { Seq: (_, seq) => liftFrom(seq, comments) })
}

function liftFrom(seq: YAMLSeq, comments: ReadonlyMap<Scalar, string>): void {
  const waiting: string[] = []
  const items = seq.items
  seq.items = []
  for (const item of items) {
    const comment = comments.get(item as Scalar)
    if (comment !== undefined) {
      waiting.push(comment)
      continue
    }
    if (isNode(item) && waiting.length > 0) item.commentBefore = joined(waiting.splice(0), item.commentBefore)
    seq.items.push(item)
  }
  if (waiting.length > 0) seq.comment = joined(waiting, seq.comment)
}

function joined(lines: readonly string[], existing: string | null | undefined): string {
  return [...lines, ...(existing ? [existing] : [])].join('\n')
}
