import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './action.js'
import type { Book } from './book.js'
import { machineNames } from './shape.js'

/** The words of a run: consent is given to everything that a person would be asked. Nothing where there is nothing to do it to. */
export function wordsOf(book: Book, { verb, target = 0 }: Pick<Run, 'verb' | 'target'>): string[] | undefined {
  const names = machineNames(book.shape)
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
      return ['secrets', 'rotate', verb.slice('rotate-'.length), '--yes']
    case 'plan':
    case 'status':
      return [verb, '--json']
    case 'backup':
      return ['backup']
    case 'restore':
      return restoreWords(book)
    case 'drill':
      return newestSnapshot(book) === undefined ? undefined : ['drill', '--yes']
    case 'evacuate':
      return evacuateWords(book, target)
  }
}

export function upWords({ newEtcd }: Book): string[] {
  return ['up', '--yes', '--delete-data', ...(newEtcd ? ['--new-etcd'] : [])]
}

export const destroyWords = ['destroy', '--yes', '--delete-data']

export function restoreWords(book: Book): string[] | undefined {
  const name = newestSnapshot(book)
  return name === undefined ? undefined : ['restore', name, '--yes', '--delete-data', '--over-healthy', '--gone']
}

/** Away from a host, or back to the one that machines have left. */
function evacuateWords({ shape }: Book, target: number): string[] | undefined {
  if (shape.hosts === 1) return undefined
  const flags = ['--yes', '--delete-data']
  return shape.evacuated === undefined
    ? ['evacuate', `pve${(target % shape.hosts) + 1}`, ...flags]
    : ['evacuate', `pve${shape.evacuated}`, '--return', ...flags]
}

/** Names of one cluster have their time in them. */
function newestSnapshot({ site }: Book): string | undefined {
  try {
    const files = readdirSync(join(site.folder, 'backups.lab'))
    return files
      .filter((file) => file.endsWith('.json') && !file.endsWith('.drill.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort()
      .at(-1)
  } catch {
    return undefined
  }
}
