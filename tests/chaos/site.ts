import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInventory } from '../../src/inventory/index.js'
import { type RunningLab, runLab, type Topology, topologyFor } from '../../src/lab/index.js'
import type { SecretsFile } from '../../src/secrets/bundle.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { secretsStore } from '../../src/secrets-store.js'
import { openSocks } from '../../src/simulator/entrances/index.js'
import type { Lab } from '../../src/simulator/index.js'
import type { World } from '../../src/world.js'
import { sitePrefix } from './disk.js'
import type { Operator } from './operator.js'
import { ageKey, inventoryText, most, operatorAddress, type Shape } from './shape.js'

const GiB = 1024 ** 3

/** A lab, an inventory beside it, and whoever runs ichor there. */
export interface Site {
  readonly lab: Lab
  readonly folder: string
  /** The files of the second operator. */
  readonly laptop: string
  readonly env: NodeJS.ProcessEnv
  readonly secretsPath: string
  /** The first secrets: nothing but their memory ever changes. */
  readonly secrets: SecretsFile
  /** What stands between ichor and its world. */
  through(world: World): World
  entranceFor(operator: Operator): Promise<{ host: string; port: number; close(): Promise<void> }>
  /** Who dies when a fault kills the caller. */
  victim: Operator | undefined
  writeInventory(shape: Shape): Promise<void>
  close(): Promise<void>
}

export interface SiteOptions {
  readonly shape: Shape
  readonly seed: number
  readonly speed: number
  readonly through?: (world: World) => World
}

let current: Site | undefined
export const currentSite = (): Site | undefined => current

/** VMs of somebody else, one of them right where ours would go. */
const foreign = [
  { vmid: 100, name: 'mail', running: true },
  { vmid: 2001, name: 'database', running: true },
  { vmid: 3000, name: 'games', running: false },
]

export async function openSite({ shape, seed, speed, through = (world) => world }: SiteOptions): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), sitePrefix))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    ICHOR_LAB_DIR: join(folder, '.lab'),
    SOPS_AGE_KEY: ageKey,
  }
  const inventoryFolder = join(folder, 'inventory')
  await mkdir(inventoryFolder)
  const writeInventory = (wanted: Shape) => writeFile(join(inventoryFolder, 'cluster.yaml'), inventoryText(wanted))
  await writeInventory({ ...shape, ...most, ...(shape.pool === undefined ? { pool: undefined } : {}) } as Shape)
  const topology = await topologyOf(inventoryFolder)
  await writeInventory(shape)
  const running: RunningLab = await runLab(
    { topology, seed, speed, pve: shape.pve, onKillCaller: () => site.victim?.kill() },
    env,
  )
  const secretsPath = join(inventoryFolder, 'secrets.lab.yaml')
  const secrets = await writeSecrets(inventoryFolder, env, shape.contract)
  const laptop = join(folder, 'laptop')
  await cp(inventoryFolder, laptop, { recursive: true })
  if (shape.isLinked) await linkFiles(inventoryFolder, join(folder, 'shared'))
  const site: Site = {
    lab: running.lab,
    folder: inventoryFolder,
    laptop,
    env,
    secretsPath,
    secrets,
    through,
    victim: undefined,
    writeInventory,
    entranceFor: async (operator) => {
      const entrance = await openSocks({ network: running.lab.network })
      operator.onKilled(() => {
        entrance.cut()
        void entrance.close()
      })
      return { host: entrance.host, port: entrance.port, close: () => entrance.close().catch(() => undefined) }
    },
    close: async () => {
      current = undefined
      await running.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    },
  }
  current = site
  return site
}

/** Room for everything that an edit may ask for, on any host. */
async function topologyOf(folder: string): Promise<Topology> {
  const topology = topologyFor(await loadInventory(folder, { env: {} }))
  const [first] = topology.hosts
  return {
    ...topology,
    operator: operatorAddress,
    hosts: topology.hosts.map((host) => ({ ...host, cpus: 64, memory: 256 * GiB })),
    guests: foreign.map((guest) => ({ ...guest, host: first?.name ?? '', cpus: 2, memory: 4 * GiB, disk: 10 * GiB })),
  }
}

const bundles = new Map<string, ReturnType<typeof generateBundle>>()

/** Keys take seconds to make: all clusters of a process share them, except what distinguishes one cluster from another. */
async function writeSecrets(folder: string, env: NodeJS.ProcessEnv, contract: Shape['contract']): Promise<SecretsFile> {
  const made = bundles.get(contract) ?? generateBundle(contract)
  bundles.set(contract, made)
  const { cluster, ...keys } = await made
  const store = secretsStore(await loadInventory(folder, { env: {} }), { env, notify: () => {}, isLab: true })
  const file = {
    bundle: { ...keys, cluster: { ...cluster, id: randomBytes(32).toString('base64url') } },
    memory: { bootstrapped: false, contract, values: {} },
  }
  await store.create(file)
  return file
}

/** What may be a symbolic link. */
export const linkable = ['cluster.yaml', 'secrets.lab.yaml'] as const

async function linkFiles(folder: string, shared: string): Promise<void> {
  await mkdir(shared)
  for (const name of linkable) {
    await rename(join(folder, name), join(shared, name))
    await symlink(join(shared, name), join(folder, name))
  }
}

export function readSecrets({ secretsPath }: Pick<Site, 'secretsPath'>): Promise<string> {
  return readFile(secretsPath, 'utf8')
}
