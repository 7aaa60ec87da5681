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
  /** When it took the lease, by its own clock: for people, and for nothing else. */
  readonly since?: string
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
    started: (await processOf(process.pid))?.started ?? '',
    since: new Date().toISOString(),
  }),
  isGone: async ({ boot, host, pid, started }) => {
    if (boot === '' || boot !== (await bootId()) || host !== hostname()) return false
    const seen = await processOf(pid)
    if (seen === undefined) return !isAlive(pid)
    return seen.isZombie || (started !== '' && seen.started !== started)
  },
  isHere: async ({ boot, host, pid, started }) => {
    if (boot === '' || started === '' || boot !== (await bootId()) || host !== hostname()) return false
    const seen = await processOf(pid)
    return seen !== undefined && !seen.isZombie && seen.started === started
  },
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
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => outputOf('sysctl', '-n', 'kern.bootsessionuuid')),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return boot.trim() === '' ? '' : `${boot.trim()}${namespace}`
}

/** As the system reports it; a zombie was killed, and nobody has asked for its exit code. */
interface SeenProcess {
  readonly started: string
  readonly isZombie: boolean
}

async function processOf(pid: number): Promise<SeenProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { started: fields[19] ?? '', isZombie: /^[ZX]/i.test(fields[0] ?? '') }
  } catch {
    const [, state = '', started = ''] =
      /^(\S+)\s+(.+)$/.exec((await outputOf('ps', '-o', 'stat=,lstart=', '-p', String(pid))).trim()) ?? []
    return started === '' ? undefined : { started, isZombie: state.startsWith('Z') }
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

async function outputOf(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { timeout: 2000 })).stdout
  } catch {
    return ''
  }
}
