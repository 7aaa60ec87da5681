import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const bin = resolve('dist/bin.js')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own with a home of its own: nothing of the user who runs the tests is seen or touched. */
export interface Desk {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  write(path: string, text: string): string
  start(words: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess
  ichor(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>
  clear(): void
}

export function aDesk(): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-cli-'))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    ICHOR_LAB_DIR: join(folder, '.lab'),
  }
  const start = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [bin, ...words], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    folder,
    env,
    start,
    ichor: (words, more) => ended(start(words, more)),
    write: (path, text) => {
      const whole = join(folder, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, text)
      return whole
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What a process said, once it is over. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((settle, fail) => {
    child.on('error', fail)
    child.on('close', (code) => settle({ code, stdout, stderr }))
  })
}

/** A small valid inventory. */
export const smallInventory = `cluster_name: dev
control_plane_count: 1
worker_count: 1
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
proxmox:
  node: pve1
  datastore: local-lvm
`
