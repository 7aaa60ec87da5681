import type { Clock } from '../world.js'
import { fieldsOf, listOf, textOf } from './answer.js'
import { KubernetesError } from './kubernetes-error.js'
import type { ObjectKind } from './port.js'
import type { Transport } from './transport.js'

export interface ResourcePath {
  readonly plural: string
  readonly namespaced: boolean
  /** `/api/v1` or `/apis/apps/v1`. */
  readonly base: string
}

/** Discovers from the API how kinds are spelt in paths, and caches it. */
export interface ResourcePaths {
  find(kind: ObjectKind, signal: AbortSignal): Promise<ResourcePath | undefined>
  /** Waits for a kind whose definition is still being established. */
  get(kind: ObjectKind, signal: AbortSignal): Promise<ResourcePath>
}

const patienceMs = 30_000
const pauseMs = 500

/** These have never changed and need no discovery: kind, plural, whether it is namespaced. */
const wellKnown: Readonly<Record<string, readonly (readonly [kind: string, plural: string, namespaced: boolean])[]>> = {
  v1: [
    ['ConfigMap', 'configmaps', true],
    ['Namespace', 'namespaces', false],
    ['Node', 'nodes', false],
    ['Pod', 'pods', true],
    ['Secret', 'secrets', true],
  ],
  'apps/v1': [
    ['DaemonSet', 'daemonsets', true],
    ['Deployment', 'deployments', true],
  ],
}

export function createResourcePaths(transport: Transport, clock: Clock): ResourcePaths {
  const known = new Map<string, ResourcePath>(wellKnownPaths())

  const learn = async (apiVersion: string, signal: AbortSignal) => {
    const base = baseOf(apiVersion)
    const list = await transport.json({ method: 'GET', path: base, verb: 'discover', object: apiVersion }, signal)
    for (const { kind, name, namespaced } of resourcesOf(list))
      if (!name.includes('/')) known.set(`${apiVersion}/${kind}`, { plural: name, namespaced, base })
  }
  const find = async ({ apiVersion, kind }: ObjectKind, signal: AbortSignal) => {
    const key = `${apiVersion}/${kind}`
    if (!known.has(key)) await learn(apiVersion, signal).catch(ignoreMissing)
    return known.get(key)
  }

  return {
    find,
    get: async (kind, signal) => {
      const until = clock.monotonic() + patienceMs
      for (;;) {
        const path = await find(kind, signal)
        if (path !== undefined) return path
        if (clock.monotonic() > until) throw unknownKind(kind)
        await clock.sleep(pauseMs, signal)
      }
    },
  }
}

function wellKnownPaths(): [string, ResourcePath][] {
  return Object.entries(wellKnown).flatMap(([apiVersion, kinds]) =>
    kinds.map(([kind, plural, namespaced]): [string, ResourcePath] => [
      `${apiVersion}/${kind}`,
      { plural, namespaced, base: baseOf(apiVersion) },
    ]),
  )
}

function baseOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

interface ApiResource {
  readonly kind: string
  readonly name: string
  readonly namespaced: boolean
}

function resourcesOf(list: unknown): readonly ApiResource[] {
  return listOf(fieldsOf(list).resources).map(({ kind, name, namespaced }) => ({
    kind: textOf(kind),
    name: textOf(name),
    namespaced: namespaced === true,
  }))
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof KubernetesError && error.status === 404)) throw error
}

function unknownKind({ apiVersion, kind }: ObjectKind): KubernetesError {
  return new KubernetesError(
    `The cluster does not know ${kind} in ${apiVersion}, not even after ${patienceMs / 1000} s.`,
    { verb: 'discover', object: `${kind} ${apiVersion}`, reason: 'NotFound', status: 404 },
    {
      where: `${apiVersion} ${kind}`,
      fix: 'Install the CustomResourceDefinition first, or correct apiVersion and kind.',
    },
  )
}
