import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SecretsPort } from '../world.js'
import { readOptional } from './access-files.js'

/**
 * The etcd of a cluster in a lab goes with that lab. In another one the cluster is recreated with the same secrets, in
 * place of the refusal that would be right on real hosts.
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
      ...(recovery === undefined ? {} : { recovery: { ...recovery, stage: 'done' as const } }),
    })
    notify('this lab is another one than the last time: what the cluster held went with that one.')
  }
  await rememberLab(lab, folder)
}

/** A folder that cannot be written to is no reason to stop: the next `up` in another lab is then refused, as without this. */
export async function rememberLab(lab: { readonly fingerprint: string }, folder: string): Promise<void> {
  const file = join(folder, '.ichor', 'lab')
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, `${lab.fingerprint}\n`, { mode: 0o600 })
  } catch {}
}
