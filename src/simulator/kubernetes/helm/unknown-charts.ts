import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { isMap, type JsonMap } from '../object.js'
import type { HelmCommand } from './helm-command.js'

const longestMs = 120_000
const largestBytes = 64 * 1024 ** 2
const runFile = promisify(execFile)

/** Charts without a table in the lab, rendered by the local helm while the lab continues. */
export interface UnknownCharts {
  /** The objects, helm's error, or `undefined` while it is still running. */
  find(command: HelmCommand, values: JsonMap): readonly JsonMap[] | Error | undefined
}

export function createUnknownCharts(): UnknownCharts {
  const rendered = new Map<string, readonly JsonMap[] | Error | undefined>()
  return {
    find: (command, values) => {
      const key = JSON.stringify([command, values])
      const answer = rendered.get(key)
      if (!rendered.has(key)) {
        rendered.set(key, undefined)
        void renderChart(command, values).then(
          (objects) => rendered.set(key, objects),
          (error: Error) => rendered.set(key, error),
        )
      }
      // A failure is not final: the next attempt tries again.
      if (answer instanceof Error) rendered.delete(key)
      return answer
    },
  }
}

/** The objects of a chart without hooks: they run once, and the lab runs no containers. @internal */
export async function renderChart(command: HelmCommand, values: JsonMap): Promise<JsonMap[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-chart-'))
  try {
    const file = join(folder, 'values.yaml')
    await writeFile(file, stringify(values), { mode: 0o600 })
    const { stdout } = await runFile('helm', wordsOf(command, file), { timeout: longestMs, maxBuffer: largestBytes })
    return parseAllDocuments(stdout).flatMap((document) => {
      const object: unknown = document.toJS()
      return isMap(object) && typeof object.kind === 'string' && !isHook(object) ? [object] : []
    })
  } catch (thrown) {
    throw new Error(complaintOf(thrown))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function complaintOf(thrown: unknown): string {
  const { code, stderr = '', message } = thrown as Error & { code?: unknown; stderr?: string }
  if (code === 'ENOENT') return 'there is no helm on the PATH of the lab, which --unknown-charts needs'
  return stderr.trim().replace(/^Error: /, '') || message
}

function wordsOf({ release, chart, repository, version, namespace }: HelmCommand, values: string): string[] {
  const where = repository.startsWith('oci://') ? [`${repository}/${chart}`] : [chart, '--repo', repository]
  return ['template', release, ...where, '--version', version, '-n', namespace, '-f', values, '--include-crds']
}

function isHook({ metadata }: JsonMap): boolean {
  return isMap(metadata) && isMap(metadata.annotations) && metadata.annotations['helm.sh/hook'] !== undefined
}
