import type { FoundCluster } from '../../adopt/found-cluster.js'
import { UserFacingError } from '../../errors.js'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { readImport } from '../../secrets/import/read-import.js'

/** The keys that run, which win over those of a file, and the names of those in which the file differs. */
export function runningKeys(
  given: SecretsBundle,
  { machines }: FoundCluster,
): { readonly bundle: SecretsBundle; readonly differences: readonly string[] } {
  const controlPlane = machines.find(({ role, talos }) => role === 'controlplane' && talos !== undefined)
  if (controlPlane?.talos === undefined) return { bundle: given, differences: [] }
  const bundle = bundleOf(controlPlane.talos.config)
  if (bundle === undefined) return { bundle: given, differences: [] }
  const [wanted, runs] = [leavesOf(given), leavesOf(bundle)]
  const names = [...new Set([...wanted.keys(), ...runs.keys()])].filter((name) => wanted.get(name) !== runs.get(name))
  return { bundle, differences: names.map((name) => `the keys of the file: ${controlPlane.name} runs another ${name}`) }
}

/** A control plane that lacks a key runs without it, and the file is all there is. */
function bundleOf(config: string): SecretsBundle | undefined {
  try {
    return readImport(config, 'the machine config').bundle
  } catch (thrown) {
    if (thrown instanceof UserFacingError) return undefined
    throw thrown
  }
}

function leavesOf(value: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
      const place = path === '' ? key : `${path}.${key}`
      return typeof inner === 'object' && inner !== null ? [...leavesOf(inner, place)] : [[place, String(inner)]]
    }),
  )
}
