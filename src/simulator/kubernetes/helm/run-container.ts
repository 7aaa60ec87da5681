import { parse } from 'yaml'
import type { ClusterState } from '../cluster-state.js'
import { isMap, type JsonMap, mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { jobProblems } from './check-job.js'
import { parseHelmCommand } from './helm-command.js'
import { installRelease, uninstallRelease } from './release.js'

export interface ContainerOutcome {
  readonly succeeded: boolean
  readonly lines: readonly string[]
}

/**
 * The result of a container that runs once; `undefined` while it runs. The lab only knows helm; anything else succeeds
 * and logs that.
 */
export function runContainer(state: ClusterState, pod: StoredObject): ContainerOutcome | undefined {
  const container = mapsAt(pod, 'spec', 'containers')[0] ?? {}
  if (!isHelm(container))
    return {
      succeeded: true,
      lines: [`The lab does not run containers: ${pod.metadata.name} is taken to have succeeded.`],
    }
  const problems = jobProblems(state, pod)
  if (problems.length > 0) return failure(...problems.map((problem) => `Error: ${problem}`))
  const args = Array.isArray(container.args) ? container.args.map(String) : []
  const command = parseHelmCommand(args)
  if (command === undefined) return failure(`Error: unknown command "${args.join(' ')}" for "helm" in the lab`)
  try {
    return command.verb === 'upgrade'
      ? installRelease(state, command, valuesOf(state, pod))
      : uninstallRelease(state, command)
  } catch (error) {
    return failure(`Error: ${error instanceof Error ? error.message : error}`)
  }
}

function isHelm(container: JsonMap): boolean {
  const command = Array.isArray(container.command) ? container.command : []
  return command[0] === 'helm' || /\/helm[:@]/.test(textAt(container, 'image') ?? '')
}

function failure(...lines: string[]): ContainerOutcome {
  return { succeeded: false, lines }
}

/** The values that the pod has mounted from a Secret. */
function valuesOf(state: ClusterState, pod: StoredObject): JsonMap {
  const names = mapsAt(pod, 'spec', 'volumes').flatMap((volume) => textAt(volume, 'secret', 'secretName') ?? [])
  const secret = names.map((name) => state.objects.find('secrets', pod.metadata.namespace, name)).find(Boolean)
  if (secret === undefined) throw new Error('open /values/values.yaml: no such file or directory')
  const text = Buffer.from(textAt(mapAt(secret, 'data'), 'values.yaml') ?? '', 'base64').toString()
  const values: unknown = parse(text)
  return isMap(values) ? values : {}
}
