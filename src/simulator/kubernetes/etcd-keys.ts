import type { StoredObject } from './object.js'
import { type StoreSnapshot, sealedResource } from './object-store.js'
import { builtInResources } from './resources.js'
import type { EtcdContent, EtcdRecord } from './seam.js'

/** The etcd paths of kinds that differ from their plural name. */
const placesOfResources: Readonly<Record<string, string>> = {
  nodes: 'minions',
  services: 'services/specs',
  endpoints: 'services/endpoints',
  replicationcontrollers: 'controllers',
  'ingresses.networking.k8s.io': 'ingress',
  'customresourcedefinitions.apiextensions.k8s.io': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiservices.apiregistration.k8s.io': 'apiregistration.k8s.io/apiservices',
}

/** The key that API servers use to agree on compactions; it carries revisions without an object. */
const compactionKey = 'compact_rev_key'

/**
 * These objects as etcd content: JSON under `/registry`, as API servers write it, Secrets with the name of their key.
 */
export function toEtcd({ revision, objects, seals = {} }: StoreSnapshot): EtcdContent {
  const records = Object.entries(objects).flatMap(([resource, some]) =>
    some.map((object) => recordOf(resource, object, resource === sealedResource ? seals[nameOf(object)] : undefined)),
  )
  records.sort((a, b) => a.modRevision - b.modRevision)
  const newest = records.at(-1)?.modRevision ?? 0
  if (revision > newest) records.push(record(compactionKey, String(revision), revision))
  return { revision, records }
}

/** The objects of an etcd. Values that are not JSON, such as another cluster's protobuf, are left out. */
export function fromEtcd({ revision, records }: EtcdContent): StoreSnapshot {
  const objects: Record<string, StoredObject[]> = {}
  const seals: Record<string, string> = {}
  for (const { key, value, modRevision } of records) {
    const { seal, text } = unsealed(value)
    const object = key.startsWith('/registry/') ? readObject(text, modRevision) : undefined
    if (object === undefined) continue
    const resource = resourceOf(key, object)
    objects[resource] = [...(objects[resource] ?? []), object]
    if (seal !== undefined) seals[nameOf(object)] = seal
  }
  return { revision, objects, seals }
}

/** `k8s:enc:secretbox:v1:key2:`, and a hash of the key instead of the ciphertext. */
const sealed = /^(k8s:enc:[a-z]+:v1:[^:]+:[0-9a-f]+:)(\{.*)$/s

function unsealed(value: string): { seal?: string; text: string } {
  const [, seal, text] = sealed.exec(value) ?? []
  return seal === undefined || text === undefined ? { text: value } : { seal, text }
}

function nameOf({ metadata: { namespace = '', name } }: StoredObject): string {
  return `${namespace}/${name}`
}

function recordOf(resource: string, object: StoredObject, seal = ''): EtcdRecord {
  const { resourceVersion, ...metadata } = object.metadata
  const { namespace, name } = metadata
  const path = ['/registry', placeOf(resource), ...(namespace === undefined ? [] : [namespace]), name]
  return record(path.join('/'), `${seal}${JSON.stringify({ ...object, metadata })}`, Number(resourceVersion ?? 1))
}

function record(key: string, value: string, revision: number): EtcdRecord {
  return { key, value, createRevision: revision, modRevision: revision, version: 1 }
}

function placeOf(resource: string): string {
  const known = placesOfResources[resource]
  if (known !== undefined) return known
  const [plural = '', ...group] = resource.split('.')
  const isBuiltIn = builtInResources.some((one) => one.plural === plural && one.group === group.join('.'))
  return isBuiltIn ? plural : `${group.join('.')}/${plural}`
}

function resourceOf(key: string, { apiVersion, kind }: StoredObject): string {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  const builtIn = builtInResources.find((one) => one.group === group && one.kind === kind)
  const plural = builtIn?.plural ?? key.split('/')[3] ?? ''
  return group === '' ? plural : `${plural}.${group}`
}

function readObject(value: string, revision: number): StoredObject | undefined {
  if (!value.startsWith('{')) return undefined
  try {
    const object = JSON.parse(value) as StoredObject
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
  } catch {
    return undefined
  }
}
