import { isMap, isScalar, type YAMLMap } from 'yaml'
import { findNearest } from '../../../nearest.js'
import { type ConfigObject, isConfigObject } from '../config-value.js'
import { applyDeletion } from './apply-deletion.js'
import { takeDeletions } from './deletes.js'
import { mergeValue, TypesDiffer } from './merge-value.js'
import { nodeValue, pairsOf, type Reading } from './node-value.js'
import type { PatchText } from './patch-text.js'
import type { Kind, Schema } from './schema.js'
import { documentShape } from './shape.js'

interface Target extends Kind {
  readonly kind: string
  readonly name?: string
}

/** Merges each document of the patch into the one of the same kind and name, or adds it. */
export function applyStrategicMerge(
  documents: readonly ConfigObject[],
  text: PatchText,
  schema: Schema,
): readonly ConfigObject[] {
  const seen = new Set<string>()
  let patched = documents
  for (const document of text.documents) {
    const root = document.contents
    if (root === null || (isScalar(root) && root.value === null)) continue
    if (!isMap(root))
      throw text.refuse('The patch holds something that is not a document.', 'Write keys and values there.', root)
    const reading = { text, document, schema }
    const target = targetOf(root, reading)
    if (!schema.mayRepeat) refuseTwice(target, root, seen, reading)
    patched = applyDocument(patched, root, target, reading)
  }
  return patched
}

function applyDocument(
  documents: readonly ConfigObject[],
  root: YAMLMap,
  target: Target,
  reading: Reading,
): readonly ConfigObject[] {
  const { deletions, isConsumed } = takeDeletions(root, reading)
  const pruned = deletions.reduce(
    (all, deletion) =>
      deletion.path.length === 0
        ? withoutDocument(all, target, root, reading)
        : all.map((one) =>
            isTarget(one, target) ? applyDeletion(one, deletion, target.type, reading.text, reading.schema) : one,
          ),
    documents,
  )
  if (isConsumed) return pruned
  const patch = nodeValue(root, documentShape(target.type), '', reading)
  return isConfigObject(patch) ? mergeDocument(pruned, patch, target, root, reading) : pruned
}

function mergeDocument(
  documents: readonly ConfigObject[],
  patch: ConfigObject,
  target: Target,
  root: YAMLMap,
  reading: Reading,
): readonly ConfigObject[] {
  if (!documents.some((one) => isTarget(one, target))) return [...documents, patch]
  try {
    return documents.map((one) => {
      if (!isTarget(one, target)) return one
      const merged = mergeValue(one, patch, documentShape(target.type), reading.schema)
      return isConfigObject(merged) ? merged : one
    })
  } catch (thrown) {
    if (!(thrown instanceof TypesDiffer)) throw thrown
    throw reading.text.refuse(
      `The patch gives ${thrown.path} a value of another type than the config has there.`,
      'Give it the same type, or delete it first with `$patch: delete`.',
      root,
    )
  }
}

/** A v1alpha1 document has no kind; every other one has kind and apiVersion. */
function targetOf(root: YAMLMap, reading: Reading): Target {
  const word = (key: string) => {
    const found = pairsOf(root, reading).find((pair) => pair.key === key)?.value
    return isScalar(found) && found.value !== null ? String(found.value) : undefined
  }
  const kind = word('kind')
  if (kind === undefined) return classicTarget(root, reading)
  if (word('apiVersion') === undefined) {
    throw reading.text.refuse(`The ${kind} in the patch has no apiVersion.`, 'Add `apiVersion: v1alpha1`.', root)
  }
  const known = reading.schema.kinds.get(kind) ?? unknownKind(kind, root, reading)
  const name = word('name')
  return { kind, ...known, ...(known.isNamed ? { name: name ?? '' } : {}) }
}

function classicTarget(root: YAMLMap, reading: Reading): Target {
  const classic = reading.schema.kinds.get('v1alpha1')
  const keys = pairsOf(root, reading).map(({ key }) => key)
  const isClassic = keys.some((key) => ['machine', 'cluster', 'debug', 'persist', 'version'].includes(key))
  if (classic !== undefined && isClassic) return { kind: 'v1alpha1', ...classic }
  throw reading.text.refuse(
    `The patch holds a document with ${keys.join(', ') || 'nothing'}, and no kind.`,
    'Put it under `machine:` or `cluster:`, or add `apiVersion: v1alpha1` and `kind:`.',
    root,
  )
}

function unknownKind(kind: string, root: YAMLMap, reading: Reading): Kind {
  if (reading.schema.isOpen) return { type: '', isNamed: pairsOf(root, reading).some(({ key }) => key === 'name') }
  throw reading.text.refuse(
    `The patch holds a ${kind}, which this version of Talos does not know.`,
    fixKind(kind, reading.schema),
    root,
  )
}

function fixKind(kind: string, { kinds }: Schema): string {
  const nearest = findNearest(kind, kinds.keys())
  return nearest === undefined ? 'Correct the kind, or remove the document.' : `Did you mean ${nearest}?`
}

function refuseTwice({ kind, name }: Target, root: YAMLMap, seen: Set<string>, { text }: Reading): void {
  const id = `${kind}/${name ?? ''}`
  if (seen.has(id)) {
    throw text.refuse(
      `The patch holds ${name === undefined || name === '' ? kind : `${kind} ${name}`} twice.`,
      'Join the two documents, or put the second one into a separate patch.',
      root,
    )
  }
  seen.add(id)
}

function withoutDocument(
  documents: readonly ConfigObject[],
  target: Target,
  root: YAMLMap,
  { text }: Reading,
): readonly ConfigObject[] {
  if (target.kind === 'v1alpha1') {
    throw text.refuse(
      'The patch deletes the classic document, without which there is no machine config.',
      'Delete keys inside of it instead.',
      root,
    )
  }
  return documents.filter((one) => !isTarget(one, target))
}

function isTarget(document: ConfigObject, { kind, isNamed, name }: Target): boolean {
  return (document.kind ?? 'v1alpha1') === kind && (!isNamed || (document.name ?? '') === name)
}
