import { KubernetesError } from './kubernetes-error.js'
import type { KubernetesObject } from './port.js'

type Fields = Readonly<Record<string, unknown>>

/** Reads a response of an API server or of a proxy in front of it: fields with the wrong type are ignored. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Labels and annotations. */
function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** An object with valid metadata; anything else is not a Kubernetes API response. */
export function objectFrom(answer: unknown, object: string, verb = 'get'): KubernetesObject {
  const fields = fieldsOf(answer)
  const metadata = fieldsOf(fields.metadata)
  if (fields.metadata !== metadata) throw notKubernetes(verb, object)
  const { labels, annotations, ...rest } = metadata
  return {
    ...fields,
    apiVersion: textOf(fields.apiVersion),
    kind: textOf(fields.kind),
    metadata: {
      ...Object.fromEntries(Object.entries(rest).filter(([key, value]) => !isText(key) || typeof value === 'string')),
      ...(labels === undefined ? {} : { labels: textsOf(labels) }),
      ...(annotations === undefined ? {} : { annotations: textsOf(annotations) }),
    },
  }
}

export interface Page {
  readonly items: readonly KubernetesObject[]
  /** Token of the next page, if there is one. */
  readonly next: string | undefined
}

/** A page of a list. Servers written in Go send `null` for an empty list. */
export function pageFrom(answer: unknown, object: string): Page {
  const { items, metadata } = fieldsOf(answer)
  if (!Array.isArray(items) && items !== null) throw notKubernetes('list', object)
  const next = textOf(fieldsOf(metadata).continue)
  return { items: (items ?? []).map((item) => objectFrom(item, object, 'list')), next: next === '' ? undefined : next }
}

export function notKubernetes(verb: string, object: string): KubernetesError {
  return new KubernetesError(
    `Could not ${verb} ${object}: the answer is not one of the Kubernetes API.`,
    { verb, object, reason: 'NotKubernetes' },
    {
      where: object,
      fix: 'Check that the endpoint of the cluster leads to its control planes and not to another server or proxy.',
    },
  )
}

function isText(key: string): boolean {
  return ['name', 'generateName', 'namespace', 'resourceVersion', 'uid'].includes(key)
}
