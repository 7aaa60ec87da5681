import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import type { LabelQuery } from '../../../../wire/cosi/resource/resource_pb.js'
import { EventType, type State, type WatchRequest } from '../../../../wire/cosi/resource/state_pb.js'
import type { TalosMachine } from '../../machine/machine.js'
import type { ResourceKind } from '../../resources/resource-kind.js'
import { findResourceKind, isResourceType, listResources, type SeenResource } from '../../resources/resource-view.js'
import { connectionOf, machineOf } from '../call-context.js'

/** The resource API: read and watch all resources of the node. */
export const cosiHandlers = {
  get: ({ namespace, type, id }, context) => {
    const { machine, kind } = open(context, namespace, type)
    const resource = listResources(machine, kind).find((candidate) => candidate.id === id)
    if (resource === undefined)
      throw new ConnectError(`resource ${type}(${namespace}/${id}@undefined) doesn't exist`, Code.NotFound)
    return { resource: wire(kind, resource) }
  },
  list: async function* ({ namespace, type, options }, context) {
    const { machine, kind } = open(context, namespace, type)
    const wanted = filterOf(options?.idQuery?.regexp, options?.labelQuery ?? [])
    for (const resource of listResources(machine, kind).filter(wanted)) yield { resource: wire(kind, resource) }
  },
  watch: async function* (request, context) {
    const { machine, kind } = open(context, request.namespace, request.type)
    refuseOddWatch(request)
    yield { event: [] }
    for await (const event of follow(machine, kind, request, context.signal)) yield { event: [event] }
  },
  create: refuseWrite,
  update: refuseWrite,
  destroy: refuseWrite,
} satisfies ServiceImpl<typeof State>

function refuseWrite(): never {
  throw new ConnectError('write access is not allowed', Code.PermissionDenied)
}

/** Unknown types and namespaces are refused, not missing; sensitive ones are for admins. */
function open(context: HandlerContext, namespace: string, type: string): { machine: TalosMachine; kind: ResourceKind } {
  const machine = machineOf(context)
  const kind = findResourceKind(machine, namespace, type)
  const isAdmin = connectionOf(context).peer.roles.has('os:admin')
  if (kind === undefined)
    throw new ConnectError(`${unsupported(machine, namespace, type)} is not supported`, Code.PermissionDenied)
  if (kind.isSensitive === true && !isAdmin) throw new ConnectError('not authorized', Code.PermissionDenied)
  return { machine, kind }
}

function unsupported(machine: TalosMachine, namespace: string, type: string): string {
  return isResourceType(machine, type) ? `namespace "${namespace}"` : `resource type "${type}"`
}

function refuseOddWatch({ id, options }: WatchRequest): void {
  const asksForKind = options?.bootstrapContents === true || (options?.labelQuery.length ?? 0) > 0
  if (id !== undefined && asksForKind) {
    throw new ConnectError('bootstrap contents and label queries are for kind watches', Code.Unimplemented)
  }
  if (options?.startFromBookmark !== undefined)
    throw new ConnectError('invalid watch bookmark', Code.FailedPrecondition)
}

async function* follow(machine: TalosMachine, kind: ResourceKind, request: WatchRequest, signal: AbortSignal) {
  const { id, options, apiVersion } = request
  const matches = filterOf(options?.idQuery?.regexp, options?.labelQuery ?? [])
  const look = () =>
    new Map(
      listResources(machine, kind)
        .filter((one) => (id === undefined ? matches(one) : one.id === id))
        .map((one) => [one.id, one]),
    )
  const changes = changesOf(machine, signal)
  let known = look()
  if (id !== undefined && known.size === 0) yield { eventType: EventType.DESTROYED, resource: tombstone(kind, id) }
  if (id !== undefined || options?.bootstrapContents === true) {
    for (const one of known.values()) yield { eventType: EventType.CREATED, resource: wire(kind, one) }
  }
  if (options?.bootstrapContents === true && apiVersion >= 1)
    yield { eventType: EventType.BOOTSTRAPPED, resource: tombstone(kind, '') }
  for await (const _ of changes) {
    const now = look()
    yield* differences(kind, known, now)
    known = now
  }
}

function* differences(kind: ResourceKind, before: Map<string, SeenResource>, now: Map<string, SeenResource>) {
  for (const [id, one] of now) {
    const old = before.get(id)
    if (old === undefined) yield { eventType: EventType.CREATED, resource: wire(kind, one) }
    else if (old.version !== one.version) {
      yield { eventType: EventType.UPDATED, resource: wire(kind, one), old: wire(kind, old) }
    }
  }
  for (const [id, old] of before) {
    if (!now.has(id)) yield { eventType: EventType.DESTROYED, resource: wire(kind, old) }
  }
}

/** Yields once after changes of the machine, however many happen while the caller is busy. */
async function* changesOf(machine: TalosMachine, signal: AbortSignal): AsyncGenerator<void> {
  let wake = () => {}
  let isPending = false
  const stop = machine.watch(() => {
    isPending = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      if (!isPending) await new Promise<void>((resolve) => (wake = resolve))
      isPending = false
      if (!signal.aborted) yield
    }
  } finally {
    stop()
    signal.removeEventListener('abort', onAbort)
  }
}

function filterOf(regexp: string | undefined, queries: readonly LabelQuery[]): (one: SeenResource) => boolean {
  const pattern = regexp === undefined || regexp === '' ? undefined : new RegExp(regexp)
  const isWanted = (one: SeenResource) => queries.every(({ terms }) => terms.every((term) => fits(term, one.labels)))
  return (one) => (pattern === undefined || pattern.test(one.id)) && isWanted(one)
}

/** Only the operators that clients use on Talos's resources: existence and equality. */
function fits(term: LabelQuery['terms'][number], labels: Readonly<Record<string, string>>): boolean {
  const value = labels[term.key]
  const isFit = term.value.length === 0 ? value !== undefined : value !== undefined && term.value.includes(value)
  return isFit !== term.invert
}

function wire(
  { type, namespace }: ResourceKind,
  { id, version, yaml, proto, createdAt, updatedAt, labels, annotations }: SeenResource,
) {
  return {
    metadata: {
      namespace,
      type,
      id,
      version: String(version),
      owner: 'runtime.SimulatedController',
      phase: 'running',
      created: timestampFromMs(createdAt),
      updated: timestampFromMs(updatedAt),
      labels: { ...labels },
      annotations: { ...annotations },
    },
    spec: { protoSpec: proto, yamlSpec: yaml },
  }
}

/** Metadata only; the spec is empty but present, because Talos's own client requires it. */
function tombstone({ type, namespace }: ResourceKind, id: string) {
  return { metadata: { namespace, type, id, version: 'undefined', phase: 'running' }, spec: {} }
}
