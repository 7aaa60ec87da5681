import { type Document, parseAllDocuments } from 'yaml'
import { reasonOf } from '../errors.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { AddonFailed } from './addon-failed.js'

/** Manifests of a YAML stream; lists are expanded, empty documents skipped. */
export function parseManifests(text: string, source: string): KubernetesObject[] {
  const documents = parseAllDocuments(text)
  return (Array.isArray(documents) ? documents : []).flatMap((document, index) => {
    const [problem] = document.errors
    if (problem !== undefined) throw unreadable(source, problem.message)
    return objectsOf(contentOf(document, source), `${source}, document ${index + 1}`)
  })
}

function contentOf(document: Document.Parsed, source: string): unknown {
  try {
    return document.toJS()
  } catch (thrown) {
    throw unreadable(source, reasonOf(thrown))
  }
}

function objectsOf(value: unknown, source: string): KubernetesObject[] {
  if (value === null || value === undefined) return []
  if (!isObject(value)) throw unreadable(source, 'it has no apiVersion and kind')
  const { items } = value
  if (value.kind.endsWith('List') && Array.isArray(items)) return items.flatMap((item) => objectsOf(item, source))
  if (value.metadata?.name === undefined) throw unreadable(source, `its ${value.kind} has no metadata.name`)
  return [value]
}

function isObject(value: unknown): value is KubernetesObject {
  const candidate = value as Partial<KubernetesObject> | null
  return (
    typeof candidate === 'object' && typeof candidate?.apiVersion === 'string' && typeof candidate.kind === 'string'
  )
}

function unreadable(source: string, why: string): AddonFailed {
  return new AddonFailed(`The manifests of ${source} cannot be used: ${why}.`, {
    where: source,
    fix: 'Correct the manifest: each document is one Kubernetes object with a name.',
  })
}
