import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { promisify } from 'node:util'

/** The holder of a lease: enough to name it to others, and to detect on its own computer that it no longer runs. */
export interface Holder {
  readonly run: string
  readonly user: string
  readonly host: string
  /** Changes with every boot of the computer; empty if unknown. */
  readonly boot: string
  readonly pid: number
  /** Start time of the process, because PIDs are reused. */
  readonly started: string
  /** When it took the lease, by its own clock; only for display. */
  readonly since?: string
}

/** What can be determined about processes of this computer. */
export interface ProcessProbe {
  self(run: string): Promise<Holder>
  /** True only for a process of this computer, boot and PID namespace that certainly no longer runs. */
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

/** The user of this process, for people: `ada@desk`. */
export function operatorName(): string {
  return `${userName()}@${hostname()}`
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env.USER ?? 'unknown'
  }
}

/** With the PID namespace: containers share the kernel's boot ID, but not PIDs. */
async function bootId(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => outputOf('sysctl', '-n', 'kern.bootsessionuuid')),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return boot.trim() === '' ? '' : `${boot.trim()}${namespace}`
}

/** As the system reports it; a zombie was killed, and its exit code was not collected. */
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
