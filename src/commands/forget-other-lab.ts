import { join } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { makeOwnFolder } from '../make-folder.js'
import type { SecretsPort } from '../world.js'
import { readOptional } from './access-files.js'

/**
 * The etcd of a cluster in a lab disappears with that lab. In another lab the cluster is recreated with the same
 * secrets, while on real hosts this is refused.
 */
export async function forgetOtherLab(
  lab: { readonly fingerprint: string },
  {
    inventory: { folder },
    world: { secrets },
  }: {
    readonly inventory: { readonly folder: string }
    readonly world: { readonly secrets: Pick<SecretsPort, 'find' | 'remember'> }
  },
  notify: (text: string) => void,
): Promise<void> {
  const file = join(folder, '.ichor', 'lab')
  const last = (await readOptional(file))?.trim()
  if (last === lab.fingerprint) return
  if (last !== undefined && (await secrets.find())?.memory.bootstrapped) {
    const recovery = (await secrets.find())?.memory.recovery
    await secrets.remember({
      bootstrapped: false,
      ...(recovery === undefined ? {} : { recovery: { ...recovery, stage: 'done' as const, gone: [] } }),
    })
    notify('this is a different lab than last time; the previous cluster is gone.')
  }
  await rememberLab(lab, folder)
}

/**
 * The world as the next `up` sees it, for commands that change nothing: in another lab the previous etcd no longer
 * exists.
 */
export async function withoutOtherLab<W extends { readonly secrets: Pick<SecretsPort, 'find'> }>(
  lab: { readonly fingerprint: string } | undefined,
  { inventory: { folder }, world }: { readonly inventory: { readonly folder: string }; readonly world: W },
): Promise<W> {
  const last = lab === undefined ? undefined : (await readOptional(join(folder, '.ichor', 'lab')))?.trim()
  if (lab === undefined || last === undefined || last === lab.fingerprint) return world
  const find: SecretsPort['find'] = async () => {
    const file = await world.secrets.find()
    return file === undefined ? undefined : { ...file, memory: { ...file.memory, bootstrapped: false } }
  }
  return { ...world, secrets: { ...world.secrets, find } }
}

/** A read-only folder is not an error: the next `up` in another lab is then refused, as without this. */
export async function rememberLab(lab: { readonly fingerprint: string }, folder: string): Promise<void> {
  try {
    await writeDurably(join(makeOwnFolder(folder), 'lab'), `${lab.fingerprint}\n`)
  } catch {}
}
