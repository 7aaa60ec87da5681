import { type LabInfo, readLabFile } from './lab-file.js'

/** The lab that runs now. A file that a killed lab left behind is not one. */
export async function findLab(env: NodeJS.ProcessEnv): Promise<LabInfo | undefined> {
  const info = await readLabFile(env)
  return info !== undefined && isAlive(info.pid) ? info : undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
