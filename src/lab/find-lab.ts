import { connect } from 'node:net'
import { type LabInfo, readLabFile } from './lab-file.js'

/** The running lab. The file of a killed lab does not count, even if another process has its PID now. */
export async function findLab(env: NodeJS.ProcessEnv): Promise<LabInfo | undefined> {
  const info = await readLabFile(env)
  return info !== undefined && isAlive(info.pid) && (await isResponsive(info)) ? info : undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isResponsive({ control }: LabInfo): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(control)
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}
