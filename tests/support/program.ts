import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type Connected, connect } from '../../src/connect.js'
import { loadInventory } from '../../src/inventory/index.js'
import type { KubernetesObject } from '../../src/kubernetes/port.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import type { LabOptions } from '../../src/simulator/index.js'
import { anInventoryFolder } from './lab.js'

/** The program in this process, a lab that it finds, and an inventory. */
export interface Program {
  readonly folder: string
  readonly env: Record<string, string>
  lab(): RunningLab
  /** Without naming the inventory or the lab. */
  run(words: readonly string[]): Promise<Ran>
  ichor(words: readonly string[], more?: Record<string, string>, signal?: AbortSignal): Promise<Ran>
  /** The same hosts, and nothing on them. */
  loseEverything(next?: LabOptions): Promise<void>
  /** Somebody with kubectl, talosctl and the web interface. */
  connect(): Promise<Connected>
  apply(...objects: KubernetesObject[]): Promise<void>
  close(): Promise<void>
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  json(): Record<string, unknown>[]
}

/** A crowded computer needs more. */
const deadlineMs = Number(process.env.ICHOR_TEST_DEADLINE_MS ?? 55_000)

export async function aProgram(files: Readonly<Record<string, string>>, options: LabOptions): Promise<Program> {
  const folder = await anInventoryFolder(files)
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') }
  await mkdir(join(folder, 'lab'), { recursive: true })
  let lab = await runLab(options, env)
  const open: Connected[] = []
  const connectToLab = async () => {
    const { info } = lab
    const inventory = await loadInventory(folder, { env: {} })
    const connected = await connect(inventory, {
      env,
      notify: () => {},
      lab: {
        endpoint: info.endpoint,
        tokenId: info.token_id,
        tokenSecret: info.token_secret,
        fingerprint: info.fingerprint,
        socks: info.socks,
        factory: info.factory,
        speed: info.speed,
      },
    })
    open.push(connected)
    return connected
  }
  return {
    folder,
    env,
    lab: () => lab,
    connect: connectToLab,
    run: (words) => run(words, env, folder, AbortSignal.timeout(deadlineMs)),
    ichor: (words, more = {}, signal = AbortSignal.timeout(deadlineMs)) =>
      run([...words, '-i', folder, '--lab'], { ...env, ...more }, folder, signal),
    loseEverything: async (next = options) => {
      await lab.close()
      lab = await runLab(next, env)
    },
    apply: async (...objects) => {
      const { world } = await connectToLab()
      const endpoints = [{ host: '10.0.10.10', port: 6443 }]
      const how = { fieldManager: 'somebody', force: true }
      await world.kubernetes.at(endpoints).apply(objects, how, AbortSignal.timeout(30_000))
    },
    close: async () => {
      await Promise.all(open.map(({ close }) => close().catch(() => undefined)))
      await lab.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function run(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
  signal: AbortSignal,
): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const output = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  const code = await main(words, commands, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: process.stdin,
    env,
    cwd,
    signal,
    program: 'ichor',
  })
  const json = () =>
    written.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { code, ...written, json }
}

export function aConfigMap(name: string, data: Record<string, string> = { key: name }): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data }
}
