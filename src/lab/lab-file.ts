import { readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.js'
import { labName } from './lab-name.js'

/** How to connect to a running lab, as stored in its file. */
export interface LabInfo {
  readonly endpoint: string
  readonly token_id: string
  readonly token_secret: string
  readonly root_password: string
  readonly fingerprint: string
  readonly ca: string
  readonly pid: number
  readonly speed: number
  readonly pve: 8 | 9
  readonly socks: { readonly host: string; readonly port: number }
  readonly ssh: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly host_key: string
    readonly private_key: string
  }
  readonly factory: string
  /** The address of this computer, as firewalls in the lab see it. */
  readonly operator: string
  /** Its control socket (unix). */
  readonly control: string
}

/** The folder of a user's labs, removed with the login session if the system supports that. */
export function labsFolder(env: NodeJS.ProcessEnv): string {
  const runtime = env.XDG_RUNTIME_DIR
  if (env.ICHOR_LAB_DIR !== undefined && env.ICHOR_LAB_DIR !== '') return env.ICHOR_LAB_DIR
  if (runtime !== undefined && runtime !== '') return join(runtime, 'ichor')
  const home = env.XDG_CACHE_HOME ?? (env.HOME === undefined ? undefined : join(env.HOME, '.cache'))
  return join(home ?? join(homedir() || tmpdir(), '.cache'), 'ichor')
}

/** The folder of the lab that the environment selects. */
export function labFolder(env: NodeJS.ProcessEnv): string {
  return join(labsFolder(env), labName(env))
}

export function labFile(env: NodeJS.ProcessEnv): string {
  return join(labFolder(env), 'lab.json')
}

export async function writeLabFile(env: NodeJS.ProcessEnv, info: LabInfo): Promise<void> {
  const file = labFile(env)
  await makeFolder(dirname(file), 0o700)
  await writeFile(file, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 })
}

/** Removes the file, unless another lab has written its own since. */
export async function removeLabFile(env: NodeJS.ProcessEnv, pid: number): Promise<void> {
  const info = await readLabFile(env)
  if (info?.pid === pid) await rm(labFile(env), { force: true })
}

export async function readLabFile(env: NodeJS.ProcessEnv): Promise<LabInfo | undefined> {
  const file = labFile(env)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LabInfo
  } catch {
    return undefined
  }
}
