import { readdir } from 'node:fs/promises'
import { findLab } from './find-lab.js'
import { type LabInfo, labsFolder } from './lab-file.js'

/** All running labs of this user, by name. */
export async function listLabs(env: NodeJS.ProcessEnv): Promise<{ name: string; info: LabInfo }[]> {
  const entries = await readdir(labsFolder(env), { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const found = await Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, info: await findLab({ ...env, ICHOR_LAB: name }).catch(() => undefined) })),
  )
  return found.flatMap(({ name, info }) => (info === undefined ? [] : [{ name, info }]))
}
