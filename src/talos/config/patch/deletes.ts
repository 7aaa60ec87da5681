import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml'
import { pairsOf, type Reading, resolved } from './node-value.js'

/** One `$patch: delete`: the path to delete, and for a list element the value that identifies it. */
export interface Deletion {
  readonly path: readonly string[]
  readonly element?: { readonly key: string; readonly value: string }
  readonly node: Node
}

export interface Deletions {
  readonly deletions: readonly Deletion[]
  /** The whole document is deleted, or it contained only deletions. */
  readonly isConsumed: boolean
}

/** Removes every `$patch: delete` from the document, and parents that become empty. */
export function takeDeletions(root: YAMLMap, reading: Reading): Deletions {
  const deletions: Deletion[] = []
  const isConsumed = takeFromMap(root, [], false, deletions, reading)
  return { deletions, isConsumed: isConsumed || (deletions.length > 0 && holdsOnlyItsName(root, reading)) }
}

/** Whether the map itself must be removed. */
function takeFromMap(
  map: YAMLMap,
  path: readonly string[],
  isElement: boolean,
  into: Deletion[],
  reading: Reading,
): boolean {
  const pairs = pairsOf(map, reading)
  if (pairs.some(({ key, value }) => key === '$patch' && isScalar(value) && value.value === 'delete')) {
    into.push(deletionOf(map, path, isElement, reading))
    return true
  }
  for (const { key, value } of pairs) {
    if (!takeFrom(resolved(value, reading), [...path, key], false, into, reading)) continue
    map.delete(key)
    if (map.items.length === 0) return true
  }
  return false
}

function takeFrom(
  node: Node | null,
  path: readonly string[],
  isElement: boolean,
  into: Deletion[],
  reading: Reading,
): boolean {
  if (isMap(node)) return takeFromMap(node, path, isElement, into, reading)
  return isSeq(node) && takeFromList(node, path, into, reading)
}

function takeFromList(list: YAMLSeq, path: readonly string[], into: Deletion[], reading: Reading): boolean {
  const before = list.items.length
  list.items = list.items.filter(
    (item, index) => !takeFrom(resolved(item, reading), [...path, `[${index}]`], true, into, reading),
  )
  return before > 0 && list.items.length === 0
}

function deletionOf(map: YAMLMap, path: readonly string[], isElement: boolean, reading: Reading): Deletion {
  if (!isElement) {
    if (path.some((part) => part.startsWith('['))) throw innerKey(map, path, reading)
    return { path, node: map }
  }
  const other = pairsOf(map, reading).find(({ key }) => key !== '$patch')
  if (other === undefined) {
    throw reading.text.refuse(
      `The patch deletes an element of ${path.slice(0, -1).join('.')} without saying which.`,
      'Add the key and value that identifies the element, such as `interface: eth0`.',
      map,
    )
  }
  const value = isScalar(other.value) ? String(other.value.source ?? other.value.value) : ''
  return { path: path.slice(0, -1), element: { key: other.key, value }, node: map }
}

function innerKey(map: YAMLMap, path: readonly string[], reading: Reading) {
  return reading.text.refuse(
    `The patch deletes ${path.join('.')}, a key inside an element of a list, which Talos cannot do.`,
    'Delete the whole element and add it again without that key.',
    map,
  )
}

/** Talos ignores a patch document that has only its name left, but counts `apiVersion` as content. */
function holdsOnlyItsName(root: YAMLMap, reading: Reading): boolean {
  return pairsOf(root, reading).every(({ key, value }) => isScalar(value) && ['version', 'kind', 'name'].includes(key))
}
