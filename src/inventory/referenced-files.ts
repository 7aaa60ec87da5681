import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Complaint } from './complaint.js'
import { formatPath, type Path } from './path.js'
import type { Settings } from './schema.js'

type Patches = Settings['talos']['patches']['cluster']

/** A path of the inventory on this computer: `~` is the home folder, relative paths start at the inventory's folder. */
export function resolveFile(folder: string, path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path)
}

/** Whether a patch is a file name or the patch itself. */
export function isPatchFile(patch: Patches[number]): patch is string {
  return typeof patch === 'string' && !patch.includes('\n') && /\.(ya?ml|json)$/.test(patch.trim())
}

/** Files that the inventory names and that do not exist. */
export async function findMissingFiles(folder: string, settings: Settings): Promise<Complaint[]> {
  const complaints = await Promise.all(
    mentionsOf(settings).map(async ({ path, file }) => {
      const isThere = await stat(resolveFile(folder, file)).then(
        (found) => found.isFile(),
        () => false,
      )
      return isThere ? [] : [missing(path, file)]
    }),
  )
  return complaints.flat()
}

function missing(path: Path, file: string): Complaint {
  return {
    path,
    message: `${formatPath(path)} refers to the file ${file}, which does not exist.`,
    fix: 'Set a path relative to the folder of the inventory, or create the file.',
  }
}

/** Files of this computer that decide what a run does, beside what their names say. */
export function filesThatMatter(settings: Settings): string[] {
  const { ca, ssh } = settings.proxmox
  const ofRegistries = settings.talos.registries.flatMap((registry) => registry.ca ?? [])
  // The user's own list of hosts grows with every login.
  const hosts = ssh === undefined || ssh.known_hosts.startsWith('~/') ? [] : [ssh.known_hosts]
  const named = [...mentionsOf(settings).map(({ file }) => file), ...(ca === undefined ? [] : [ca]), ...ofRegistries]
  return [...new Set([...named, ...hosts])]
}

function mentionsOf(settings: Settings): { path: Path; file: string }[] {
  const { talos, controlplane, workers, worker_pools } = settings
  const lists: [Path, Patches][] = [
    [['talos', 'patches', 'cluster'], talos.patches.cluster],
    [['talos', 'patches', 'control_plane'], talos.patches.control_plane],
    [['talos', 'patches', 'worker'], talos.patches.worker],
    ...worker_pools.map(({ patches }, index): [Path, Patches] => [['worker_pools', index, 'patches'], patches]),
    ...controlplane.map(({ patches }, index): [Path, Patches] => [['controlplane', index, 'patches'], patches ?? []]),
    ...workers.map(({ patches }, index): [Path, Patches] => [['workers', index, 'patches'], patches ?? []]),
  ]
  const patches = lists.flatMap(([path, list]) =>
    list.flatMap((patch, index) => (isPatchFile(patch) ? [{ path: [...path, index], file: patch.trim() }] : [])),
  )
  return [
    ...patches,
    ...fileAt(['talos', 'image_file'], talos.image_file),
    ...fileAt(['advisories'], settings.advisories?.file),
  ]
}

function fileAt(path: Path, file: string | undefined): { path: Path; file: string }[] {
  return file === undefined ? [] : [{ path, file }]
}
