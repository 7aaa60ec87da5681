import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileError } from '../errors.js'
import { makeFolder } from '../make-folder.js'
import { isAlive } from './find-lab.js'
import { type LabInfo, labFolder, readLabFile } from './lab-file.js'

const longestStart = 30_000
const between = 50

/** Starts a lab as a separate process and returns once it can be reached. `command` runs it in the foreground. */
export async function startDetachedLab(command: readonly string[], env: NodeJS.ProcessEnv): Promise<LabInfo> {
  const folder = labFolder(env)
  await makeFolder(folder, 0o700)
  const log = await open(join(folder, 'lab.log'), 'w', 0o600)
  const child = spawn(process.execPath, command, { detached: true, stdio: ['ignore', log.fd, log.fd], env })
  child.unref()
  await log.close()
  const { pid } = child
  for (let waited = 0; pid !== undefined && waited < longestStart && isAlive(pid); waited += between) {
    const info = await readLabFile(env)
    if (info?.pid === pid) return info
    await sleep(between)
  }
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
  throw await notStarted(join(folder, 'lab.log'))
}

/** The log of the lab explains more than the fact that it did not start. */
async function notStarted(log: string): Promise<FileError> {
  const logged = await readFile(log, 'utf8').catch(() => '')
  const problem = logged === '' ? `There was no output within ${longestStart / 1000} s.` : logged.trim()
  return new FileError(`The lab did not start.\n${problem}`, {
    where: log,
    fix: 'Fix what it reports, or try ichor lab start without --detach to watch it.',
  })
}
