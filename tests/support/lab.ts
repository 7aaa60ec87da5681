import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connected, connect } from '../../src/connect.js'
import type { ClusterSpec } from '../../src/desired/cluster-spec.js'
import { type Emit, numbered, type RunEvent } from '../../src/events/event.js'
import { type Inventory, loadInventory } from '../../src/inventory/index.js'
import { curedSpec } from '../../src/operations/change/cured-spec.js'
import type { WantedChange } from '../../src/operations/change/wanted-change.js'
import { cure, destroy, eject, type Goal, limited, shutDownAll, up } from '../../src/operations/goals.js'
import { preview, type Reconcile, reconcile } from '../../src/operations/reconcile.js'
import type { Result } from '../../src/operations/result.js'
import { loadSpec, type SpecOptions } from '../../src/operations/spec/load-spec.js'
import type { Plan } from '../../src/plan/plan.js'
import type { Cures } from '../../src/plan/plan-cures.js'
import type { UpgradeLimit } from '../../src/plan/upgrade/limit-upgrade.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { secretsStore } from '../../src/secrets-store.js'
import { openSocks } from '../../src/simulator/entrances/index.js'
import { type Lab, type LabOptions, startLab, type Topology } from '../../src/simulator/index.js'
import type { Clock, World } from '../../src/world.js'

const GiB = 1024 ** 3

/** Hosts pve1, pve2, … with a directory storage for images and seeds and a thin pool for disks. */
export function aTopology({
  hosts = 1,
  ...more
}: { hosts?: number } & Partial<Omit<Topology, 'hosts'>> = {}): Topology {
  // Machines begin at 10.0.10.10.
  const addressOf = (index: number) => `10.0.${index < 9 ? 10 : 11}.${index + 1}`
  return {
    hosts: Array.from({ length: hosts }, (_, index) => ({
      name: `pve${index + 1}`,
      address: addressOf(index),
      cpus: 32,
      memory: 128 * GiB,
      bridges: [{ name: 'vmbr0', cidr: `${addressOf(index)}/24`, gateway: '10.0.10.254', vlanAware: true }],
    })),
    storages: [
      { id: 'local', type: 'dir', content: ['iso', 'import', 'vztmpl', 'backup'], shared: false, total: 200 * GiB },
      { id: 'local-lvm', type: 'lvmthin', content: ['images', 'rootdir'], shared: false, total: 2000 * GiB },
    ],
    pciMappings: [],
    dhcp: [],
    guests: [],
    // Two hosts cannot lose one without such a device.
    quorumDevice: hosts === 2,
    ...more,
  }
}

/** An inventory in a folder of its own. */
export async function anInventoryFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-test-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Three control planes and two workers on three hosts, by default otherwise. */
export function clusterYaml({
  controlPlanes = 3,
  workers = 2,
  extra = '',
}: {
  controlPlanes?: number
  workers?: number
  extra?: string
} = {}): string {
  return `cluster_name: dev
talos_version: v1.13.9
control_plane_count: ${controlPlanes}
worker_count: ${workers}
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.254
proxmox:
  datastore: local-lvm
sizing:
  control_plane: { cpu: 2, ram: 4GiB, disk: 20G }
  worker: { cpu: 2, ram: 4GiB, disk: 20G }
${extra}`
}

export interface UpOptions {
  readonly until?: ClusterSpec['until']
  readonly signal?: AbortSignal
  readonly forceUnlock?: boolean
  readonly newEtcd?: boolean
  readonly mayEnableContent?: boolean
  readonly leaseClock?: Clock
  /** Yes, unless said otherwise. */
  readonly confirm?: (plan: Plan) => Promise<boolean>
  /** Stands between the run and its world. */
  readonly through?: (world: World) => World
  /** Lets something happen in the middle of the run. */
  readonly onEvent?: Emit
  /** Another spec than that of the inventory, and what writes it down: a verb that changes what is wanted. */
  readonly change?: Change
  /** Where a roll of Talos stops. */
  readonly limit?: UpgradeLimit
}

export interface ShutdownOptions extends Pick<UpOptions, 'signal' | 'forceUnlock' | 'onEvent' | 'confirm'> {
  readonly takesSnapshot?: boolean
  readonly withGuests?: boolean
}

/** What a verb makes of the inventory, as its command does. */
export type Change = (
  inventory: Inventory,
  options: SpecOptions & { readonly world: World; readonly signal: AbortSignal; readonly run: string },
) => Promise<Pick<WantedChange, 'spec' | 'write' | 'check'>>

/** A lab, an inventory in it, and everything that a story needs to tell itself. */
export interface Stage {
  readonly lab: Lab
  readonly folder: string
  readonly events: RunEvent[]
  inventory(): Promise<Inventory>
  spec(
    world: World,
    options?: Pick<UpOptions, 'until' | 'newEtcd' | 'mayEnableContent'>,
  ): Promise<Omit<ClusterSpec, 'secrets'>>
  connect(options?: { readonly clock?: Clock }): Promise<Connected>
  up(options?: UpOptions): Promise<Result>
  plan(goal?: 'up' | 'destroy'): Promise<Awaited<ReturnType<typeof preview>>>
  destroy(options?: Pick<UpOptions, 'signal' | 'forceUnlock' | 'onEvent'>): Promise<Result>
  /** `ichor eject`. */
  eject(options?: Pick<UpOptions, 'signal' | 'forceUnlock' | 'onEvent'>): Promise<Result>
  /** `ichor shutdown`. */
  shutDown(options?: ShutdownOptions): Promise<Result>
  /** What `ichor doctor --fix` carries out. */
  cure(cures: Cures, options?: Pick<UpOptions, 'signal' | 'forceUnlock' | 'onEvent'>): Promise<Result>
  /** Everything that this process has open into the lab is cut, and nothing gets in any more until the next run. */
  die(): void
  write(file: string, text: string): Promise<void>
  close(): Promise<void>
}

/** A crowded computer needs more. */
const deadlineMs = Number(process.env.ICHOR_TEST_DEADLINE_MS ?? 55_000)
const bundles = new Map<string, ReturnType<typeof generateBundle>>()

/** The keys of every stage, and a cluster of its own. */
async function aBundle(contract: string) {
  const made = bundles.get(contract) ?? generateBundle(contract)
  bundles.set(contract, made)
  const bundle = await made
  return { ...bundle, cluster: { ...bundle.cluster, id: randomBytes(32).toString('base64url') } }
}

export async function aStage(
  options: Partial<LabOptions> & { files: Readonly<Record<string, string>>; folder?: string },
): Promise<Stage> {
  const speed = options.speed ?? 500
  const lab = await startLab({ topology: aTopology({ hosts: 3 }), speed, onKillCaller: () => die(), ...options })
  let entrance = await openSocks({ network: lab.network })
  let isDead = false
  const die = () => {
    isDead = true
    entrance.cut()
    void entrance.close()
  }
  const folder = options.folder ?? (await anInventoryFolder(options.files))
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
  const events: RunEvent[] = []
  const open: Connected[] = []

  const inventory = async () => {
    const loaded = await loadInventory(folder, { env: {} })
    return {
      ...loaded,
      settings: { ...loaded.settings, talos: { ...loaded.settings.talos, factory_url: lab.factoryUrl } },
    }
  }
  const spec = async (world: World, { until = 'healthy', newEtcd = false, mayEnableContent = false }: UpOptions = {}) =>
    loadSpec(await inventory(), { env: {}, world, isLab: true, until, intent: { newEtcd }, mayEnableContent })
  const connectToLab = async (more: { readonly clock?: Clock } = {}) => {
    if (isDead) entrance = await openSocks({ network: lab.network })
    isDead = false
    const connected = await connect(await inventory(), {
      env,
      notify: () => {},
      ...more,
      lab: {
        endpoint: lab.proxmox.endpoint,
        tokenId: lab.proxmox.tokenId,
        tokenSecret: lab.proxmox.tokenSecret,
        fingerprint: lab.proxmox.fingerprint,
        socks: entrance,
        factory: lab.factoryUrl,
        speed,
      },
    })
    open.push(connected)
    return { ...connected, world: { ...connected.world, secrets: await withReadyKeys(connected.world.secrets) } }
  }
  /** Keys that take seconds to make are made once for all stages of a process. */
  const withReadyKeys = async (secrets: World['secrets']) => {
    const store = secretsStore(await inventory(), { env, notify: () => {}, isLab: true })
    const make = async (contract: string) =>
      store.create({
        bundle: await aBundle(contract),
        memory: { bootstrapped: false, sealed: true, contract, values: {} },
      })
    return { ...secrets, make }
  }
  const run = async (
    goal: Goal,
    {
      signal,
      forceUnlock = false,
      leaseClock,
      confirm = async () => true,
      through = (world) => world,
      onEvent,
      change,
      limit,
      ...options
    }: UpOptions,
  ) => {
    const patience = signal ?? AbortSignal.timeout(deadlineMs)
    const id = randomUUID()
    const { world: whole, close } = await connectToLab()
    const world = through(whole)
    try {
      const changed = await change?.(await inventory(), {
        env: {},
        isLab: true,
        world,
        signal: patience,
        run: id,
      })
      const agree: Reconcile['confirm'] = async (plan, facts) => {
        await changed?.check?.(facts)
        const isAgreed = await confirm(plan)
        if (isAgreed) await changed?.write()
        return isAgreed
      }
      return await reconcile({
        spec: changed?.spec ?? (await spec(world, options)),
        world,
        goal: limit === undefined ? goal : limited(goal, limit),
        run: id,
        confirm: agree,
        emit: numbered((event) => {
          events.push(event)
          onEvent?.(event)
        }, id),
        signal: patience,
        forceUnlock,
        ...(leaseClock === undefined ? {} : { leaseClock }),
      })
    } finally {
      await close()
    }
  }

  return {
    lab,
    folder,
    events,
    inventory,
    spec,
    connect: connectToLab,
    up: (given = {}) => run(up, given),
    destroy: (given = {}) => run(destroy, given),
    eject: (given = {}) => run(eject, given),
    cure: (cures, given = {}) =>
      run(cure(cures), { ...given, change: (inventory, asked) => curedSpec(cures, inventory, asked) }),
    shutDown: ({ takesSnapshot = true, withGuests = false, ...given } = {}) =>
      run(shutDownAll({ takesSnapshot, withGuests }), given),
    die,
    plan: async (name = 'up') => {
      const { world, close } = await connectToLab()
      try {
        const goal = name === 'up' ? up : destroy
        return await preview({ spec: await spec(world), world, goal, signal: AbortSignal.timeout(deadlineMs) })
      } finally {
        await close()
      }
    },
    write: (file, text) => writeFile(join(folder, file), text),
    close: async () => {
      await Promise.all(open.map(({ close }) => close().catch(() => undefined)))
      if (!isDead) await entrance.close()
      await lab.close()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a plan would change, in its own words. */
export function titlesOf({ steps }: Plan): string[] {
  return steps.filter(({ changes }) => changes).map(({ title }) => title)
}

/** What the lab was asked to change, in its own words. */
export function mutatingCalls({ ledger }: Lab): string[] {
  return ledger
    .entries()
    .filter(({ event, mutating }) => event === 'call' && mutating)
    .map(({ surface, subject }) => `${surface} ${subject}`)
}
