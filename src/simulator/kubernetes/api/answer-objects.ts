import { type ClusterState, findResource } from '../cluster-state.js'
import { isMap, mapAt, numberAt, type StoredObject, textAt, timestamp } from '../object.js'
import { type Resource, resourceKey } from '../resources.js'
import { notFound, StatusError } from '../status-error.js'
import { type DeleteOptions, deleteObject } from '../write/delete-object.js'
import { evictPod } from '../write/evict-pod.js'
import {
  applyObject,
  createObject,
  getLive,
  patchObject,
  updateObject,
  type WriteOptions,
  type WriteTarget,
} from '../write/write-object.js'
import { answerLog } from './answer-log.js'
import { answerScale } from './answer-scale.js'
import { authorize } from './authorize.js'
import type { Answer, Call } from './call.js'
import { inVersion, listPage, viewOf } from './list.js'
import type { ResourceRoute } from './route.js'
import { partialOf, tableOf } from './table.js'
import { serveWatch } from './watch.js'

/** Everything under a resource's path: get, list, watch, create, update, patch, apply, delete and subresources. */
export function answerObjects(call: Call, route: ResourceRoute): Answer {
  const resource = findResource(call.state, route.group, route.version, route.plural)
  if (resource === undefined) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource')
  const verb = verbOf(call, route)
  authorize(call.state, call.user, {
    verb,
    group: route.group,
    resource: route.subresource === undefined ? route.plural : `${route.plural}/${route.subresource}`,
    namespace: route.namespace,
    name: route.name,
  })
  const handler = new ResourceCall(call, route, resource)
  return handler.answer(verb)
}

function verbOf({ method, query }: Call, { name }: ResourceRoute): string {
  if (method === 'GET') return isWatch(query) ? 'watch' : name === undefined ? 'list' : 'get'
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? 'get'
}

function isWatch(query: URLSearchParams): boolean {
  return ['1', 'true'].includes(query.get('watch') ?? '')
}

const inContainers = new Set(['exec', 'attach', 'portforward'])

class ResourceCall {
  readonly #call: Call
  readonly #route: ResourceRoute
  readonly #resource: Resource
  readonly #target: WriteTarget

  constructor(call: Call, route: ResourceRoute, resource: Resource) {
    this.#call = call
    this.#route = route
    this.#resource = resource
    const { namespace, subresource } = route
    this.#target = { resource, namespace, ...(subresource === undefined ? {} : { subresource }) }
  }

  answer(verb: string): Answer {
    const { name, subresource } = this.#route
    if (subresource !== undefined && name !== undefined) {
      const special = this.#answerSpecial(name, subresource)
      if (special !== undefined) return special.answer
    }
    switch (verb) {
      case 'watch':
        return this.#watch()
      case 'list':
        return this.#list()
      case 'get':
        return this.#one(200, getLive(this.#state, this.#target, name ?? ''))
      case 'create':
        return this.#one(201, createObject(this.#state, this.#target, this.#call.body, this.#options()))
      case 'update':
        return this.#one(200, updateObject(this.#state, this.#target, name ?? '', this.#call.body, this.#options()))
      case 'patch':
        return this.#patch(name ?? '')
      case 'deletecollection':
        return this.#deleteMany()
      default:
        return this.#delete(name ?? '')
    }
  }

  get #state(): ClusterState {
    return this.#call.state
  }

  /** Subresources that are not part of the object. */
  #answerSpecial(name: string, subresource: string): { answer: Answer } | undefined {
    const namespace = this.#route.namespace ?? ''
    if (this.#resource.plural === 'pods' && inContainers.has(subresource)) {
      getLive(this.#state, { resource: this.#resource, namespace }, name)
      const problem = `the lab runs no containers: ${subresource} is not simulated`
      throw new StatusError(501, 'NotImplemented', problem)
    }
    if (!this.#resource.subresources.includes(subresource)) throw notFound(this.#resource, name)
    if (subresource === 'log') return { answer: answerLog(this.#call, namespace, name) }
    if (subresource === 'scale') return { answer: answerScale(this.#call, this.#target, name, this.#options()) }
    if (subresource === 'token') return { answer: this.#token(namespace, name) }
    if (subresource !== 'eviction') return undefined
    evictPod(this.#state, namespace, name, this.#call.body)
    return { answer: { status: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } } }
  }

  #token(namespace: string, name: string): Answer {
    const { tokens, body } = this.#call
    if (tokens === undefined) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource')
    const given = isMap(body) ? body : {}
    const { token, expires } = tokens.issue(namespace, name, numberAt(given, 'spec', 'expirationSeconds') ?? 3600)
    const status = { token, expirationTimestamp: timestamp(expires) }
    return { status: 201, body: { ...given, kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', status } }
  }

  #watch(): undefined {
    const { state, response, query } = this.#call
    const view = viewOf(this.#route.namespace, this.#route.name, query)
    serveWatch(state, response, { resource: this.#resource, view, query, present: (object) => this.#present(object) })
    return undefined
  }

  #list(): Answer {
    const { state, query, accept } = this.#call
    const { items, metadata } = listPage(state, this.#resource, viewOf(this.#route.namespace, undefined, query), query)
    if (accept.includes('as=Table'))
      return { status: 200, body: tableOf(this.#resource, items, metadata, state.clock.now()) }
    if (accept.includes('as=PartialObjectMetadataList')) {
      const partial = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' }
      return { status: 200, body: { ...partial, metadata, items: items.map(partialOf) } }
    }
    const { group, version } = this.#route
    const apiVersion = group === '' ? version : `${group}/${version}`
    const shown = items.map((item) => inVersion(item, this.#resource, version))
    return { status: 200, body: { kind: `${this.#resource.kind}List`, apiVersion, metadata, items: shown } }
  }

  #patch(name: string): Answer {
    const { contentType, body } = this.#call
    if (contentType.startsWith('application/apply-patch+yaml')) {
      if (this.#call.query.get('fieldManager') === null)
        throw new StatusError(
          400,
          'BadRequest',
          'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        )
      const { object, created } = applyObject(this.#state, this.#target, name, body, this.#options())
      return this.#one(created ? 201 : 200, object)
    }
    const type = contentType.split(';')[0] ?? ''
    return this.#one(200, patchObject(this.#state, this.#target, name, { type, body }, this.#options()))
  }

  #delete(name: string): Answer {
    const object = deleteObject(this.#state, this.#target, name, this.#deleteOptions())
    const isGone = this.#state.objects.find(resourceKey(this.#resource), this.#route.namespace, name) === undefined
    if (!isGone || this.#resource.kind === 'Pod') return this.#one(200, object)
    const { group, plural: kind } = this.#resource
    const details = { name, group, kind, uid: object.metadata.uid }
    return { status: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } }
  }

  #deleteMany(): Answer {
    const view = viewOf(this.#route.namespace, undefined, this.#call.query)
    const items = this.#state.objects.list(resourceKey(this.#resource)).filter(view)
    for (const { metadata } of items)
      deleteObject(
        this.#state,
        { resource: this.#resource, namespace: metadata.namespace },
        metadata.name,
        this.#deleteOptions(),
      )
    return { status: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } }
  }

  #one(status: number, object: StoredObject): Answer {
    return { status, body: this.#present(object) }
  }

  #present(object: StoredObject): object {
    const { accept, state } = this.#call
    const metadata = { resourceVersion: object.metadata.resourceVersion }
    if (accept.includes('as=Table')) return tableOf(this.#resource, [object], metadata, state.clock.now())
    if (accept.includes('as=PartialObjectMetadata')) return partialOf(object)
    return inVersion(object, this.#resource, this.#route.version)
  }

  #options(): WriteOptions {
    const { query, userAgent } = this.#call
    return {
      fieldManager: query.get('fieldManager') ?? userAgent.split('/')[0] ?? 'unknown',
      force: query.get('force') === 'true',
      dryRun: query.get('dryRun') === 'All',
    }
  }

  #deleteOptions(): DeleteOptions {
    const { query } = this.#call
    const body = isMap(this.#call.body) ? this.#call.body : {}
    const grace = numberAt(body, 'gracePeriodSeconds') ?? numberOf(query.get('gracePeriodSeconds'))
    const propagationPolicy = textAt(body, 'propagationPolicy') ?? query.get('propagationPolicy') ?? undefined
    const { uid, resourceVersion } = mapAt(body, 'preconditions')
    return {
      dryRun: query.get('dryRun') === 'All' || (Array.isArray(body.dryRun) && body.dryRun.includes('All')),
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(typeof uid === 'string' ? { uid } : {}),
      ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    }
  }
}

function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
