import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { promisify } from 'node:util'

/** Who holds a lease: enough to name them to others, and to notice on their own computer that they are dead. */
export interface Holder {
  readonly run: string
  readonly user: string
  readonly host: string
  /** Changes with every start of the computer; empty where it cannot be reported. */
  readonly boot: string
  readonly pid: number
  /** Start time of the process: a pid is reused. */
  readonly started: string
}

/** What can be found out about processes of this computer. */
export interface ProcessProbe {
  self(run: string): Promise<Holder>
  /** True only for a process of this computer, this start of it and this pid namespace that is certainly no more. */
  isGone(holder: Holder): Promise<boolean>
  /** True only for a process of this computer that certainly runs. */
  isHere?(holder: Holder): Promise<boolean>
}

export const localProcesses: ProcessProbe = {
  self: async (run) => ({
    run,
    user: userName(),
    host: hostname(),
    boot: await bootId(),
    pid: process.pid,
    started: (await startOf(process.pid)) ?? '',
  }),
  isGone: async ({ boot, host, pid, started }) => {
    if (boot === '' || boot !== (await bootId()) || host !== hostname()) return false
    const start = await startOf(pid)
    return start === undefined ? !isAlive(pid) : started !== '' && start !== started
  },
  isHere: async ({ boot, host, pid, started }) =>
    boot !== '' &&
    boot === (await bootId()) &&
    host === hostname() &&
    started !== '' &&
    (await startOf(pid)) === started,
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env.USER ?? 'unknown'
  }
}

/** With the pid namespace: containers share the kernel's boot id, but not each other's pids. */
async function bootId(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => said('sysctl', '-n', 'kern.bootsessionuuid')),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return boot.trim() === '' ? '' : `${boot.trim()}${namespace}`
}

/** As the system reports it; `undefined` when there is no such process. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    const line = await said('ps', '-o', 'lstart=', '-p', String(pid))
    return line.trim() === '' ? undefined : line.trim()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

async function said(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { timeout: 2000 })).stdout
  } catch {
    return ''
  }
}
