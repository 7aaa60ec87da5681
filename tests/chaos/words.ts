import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './action.js'
import type { Book } from './book.js'
import { machineNames, most, poolName, type Shape, versions } from './shape.js'

/** The files of one operator, and what their inventory says. */
export interface Checkout {
  readonly folder: string
  readonly shape: Shape
}

/** The words of a run: consent is given to everything that a person would be asked. Nothing where there is nothing to do it to. */
export function wordsOf(
  book: Book,
  { verb, target = 0 }: Pick<Run, 'verb' | 'target'>,
  { folder, shape }: Checkout,
): string[] | undefined {
  const names = machineNames(shape)
  const { older, newest } = versions[shape.contract]
  const name = names[target % names.length] ?? ''
  switch (verb) {
    case 'up':
      return upWords(book)
    case 'destroy':
      return destroyWords
    case 'replace':
      return ['replace', name, '--yes', '--delete-data']
    case 'reboot':
      return ['reboot', name, '--yes']
    case 'rotate-talos-ca':
    case 'rotate-kubernetes-ca':
    case 'rotate-service-account-key':
    case 'rotate-etcd-encryption-key':
      return ['secrets', 'rotate', verb.slice('rotate-'.length), '--yes']
    case 'plan':
    case 'status':
      return [verb, '--json']
    case 'backup':
      return ['backup']
    case 'restore':
      return restoreWords(nthSnapshot(folder, target))
    case 'drill':
      return nthSnapshot(folder, 0) === undefined ? undefined : ['drill', '--yes']
    case 'evacuate':
      return evacuateWords(shape, target)
    case 'scale':
      return shape.workers < most.workers
        ? ['scale', `workers=${shape.workers + 1}`, '--yes', '--delete-data']
        : undefined
    case 'upgrade':
      return target % 2 === 0
        ? ['upgrade', '--talos', newest.talos, '--yes', '--delete-data']
        : ['upgrade', '--kubernetes', newest.kubernetes, '--yes', '--delete-data']
    case 'health':
      return ['health']
    case 'scale-down':
      return shape.workers === 0 ? undefined : ['scale', `workers=${shape.workers - 1}`, '--yes', '--delete-data']
    case 'scale-pool':
      return shape.pool === undefined
        ? undefined
        : ['scale', `${poolName}=${shape.pool === 0 ? 1 : shape.pool - 1}`, '--yes', '--delete-data']
    case 'upgrade-first':
      return ['upgrade', '--talos', newest.talos, '--pause-after', '1', '--yes', '--delete-data']
    case 'upgrade-back':
      return ['upgrade', '--rollback', '--talos', older.talos, '--yes', '--delete-data']
    case 'backup-prune':
    case 'image-prune':
      return [...verb.split('-'), '--yes']
    case 'lock':
      return lockWords
    case 'shutdown':
      return ['shutdown', '--yes']
    case 'doctor-fix':
      return ['doctor', '--fix', '--yes']
    case 'recover-secrets':
      return ['secrets', 'recover']
    case 'replace-lost-host':
      return replaceHostWords(shape, target)
    case 'doctor':
      return ['doctor', '--json']
    case 'capacity':
      return ['capacity', '--live', '--json']
    case 'metrics':
      return ['metrics']
    case 'watch':
      return ['watch', '--once']
  }
}

export function upWords({ newEtcd }: Book): string[] {
  return ['up', '--yes', '--delete-data', ...(newEtcd ? ['--new-etcd'] : [])]
}

export const destroyWords = ['destroy', '--yes', '--delete-data']
export const lockWords = ['lock']

export function restoreWords(name: string | undefined): string[] | undefined {
  return name === undefined ? undefined : ['restore', name, '--yes', '--delete-data', '--over-healthy', '--gone']
}

/** Away from a host, or back to the one that machines have left. */
function evacuateWords(shape: Shape, target: number): string[] | undefined {
  if (shape.hosts === 1) return undefined
  const flags = ['--yes', '--delete-data']
  return shape.evacuated === undefined
    ? ['evacuate', `pve${(target % shape.hosts) + 1}`, ...flags]
    : ['evacuate', `pve${shape.evacuated}`, '--return', ...flags]
}

/** There is another one for its machines. */
function replaceHostWords({ hosts }: Shape, target: number): string[] | undefined {
  const host = lostHost({ hosts }, target)
  if (host === undefined) return undefined
  return ['replace', '--host', host, '--gone', '--confirm-host', host, '--yes', '--delete-data']
}

export function lostHost({ hosts }: Pick<Shape, 'hosts'>, target = 0): string | undefined {
  return hosts === 1 ? undefined : `pve${(target % hosts) + 1}`
}

/** Those of one cluster have their time in their names: the newest is the first. */
function nthSnapshot(inventory: string, target: number): string | undefined {
  const folder = join(inventory, 'backups.lab')
  const names = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.json') && !file.endsWith('.drill.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
    .reverse()
  return names[target % Math.max(1, names.length)]
}
