import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretsBundle } from '../../src/secrets/bundle.js'
import { connectTalos } from '../../src/talos/api/connect.js'
import { clientCertificate } from '../../src/talos/clientconfig/client-certificate.js'
import type { World } from '../../src/world.js'
import { type ForeignMachine, foreignTalosconfig, foreignTopology, makeForeignCluster } from './foreign-cluster.js'
import { mutatingCalls } from './lab.js'
import { aProgram, type Program, type Ran } from './program.js'

/** A cluster that somebody made by hand, a talosconfig for it, and the program beside them. */
export interface ForeignEnvironment {
  readonly program: Program
  readonly world: World
  readonly bundle: SecretsBundle
  /** What runs, by machine. */
  readonly configs: ReadonlyMap<string, string>
  /** `ichor adopt` with the talosconfig, into the folder `env`. */
  adopt(...more: readonly string[]): Promise<Ran>
  /** A command for that folder. */
  env(...words: readonly string[]): Promise<Ran>
  /** A file of the folder of everything. */
  file(name: string): Promise<string>
  edit(name: string, change: (text: string) => string): Promise<void>
  /** The kinds of steps in a plan, without those that only wait. */
  plannedKinds(): Promise<string[]>
  isMarked(machine: ForeignMachine): Promise<boolean>
  /** Proxmox calls that changed something since the cluster was made. */
  changes(): string[]
  /** Every restart of every machine, as one text. */
  restarts(): string
  power(machine: ForeignMachine, to: 'start' | 'stop'): Promise<void>
  /** What the node runs now. */
  running(machine: ForeignMachine): Promise<{ readonly config: string; readonly version: string }>
  readonly signal: AbortSignal
}

/** `leased` have a lease, and somebody may make them later. */
export async function aForeignEnvironment(
  machines: readonly ForeignMachine[],
  leased: readonly ForeignMachine[] = [],
): Promise<ForeignEnvironment> {
  const signal = AbortSignal.timeout(300_000)
  const files = { 'cluster.yaml': 'cluster_name: nothing\nnetwork: { mode: dhcp }\n' }
  const program = await aProgram(files, { topology: foreignTopology([...machines, ...leased]), speed: 1000 })
  const connected = await program.connect()
  const { bundle, configs } = await makeForeignCluster(connected, machines, signal)
  const { world } = connected
  const at = (name: string) => join(program.folder, name)
  await writeFile(at('talosconfig'), await foreignTalosconfig(bundle, machines), { mode: 0o600 })
  const { lab } = program.lab()
  const before = mutatingCalls(lab).length
  const env = (...words: readonly string[]) => program.run([...words, '-i', 'env', '--lab'])
  const file = (name: string) => readFile(at(name), 'utf8')
  return {
    program,
    world,
    bundle,
    configs,
    signal,
    env,
    file,
    adopt: (...more) => program.run(['adopt', '--talosconfig', 'talosconfig', '--out', 'env', '--lab', ...more]),
    edit: async (name, change) => writeFile(at(name), change(await file(name))),
    plannedKinds: async () => {
      const plans = (await env('plan', '--json')).json()
      const steps = plans.flatMap((plan) => plan.steps as { readonly kind: string }[])
      return [...new Set(steps.map(({ kind }) => kind))].filter((kind) => !/^(check|confirm)-health$/.test(kind)).sort()
    },
    isMarked: async ({ host, vmid }) =>
      (await world.proxmox.machines.findConfig({ host, vmid }, signal))?.options.description?.includes('```ichor') ===
      true,
    changes: () => mutatingCalls(lab).slice(before),
    restarts: () => JSON.stringify(lab.availability.machineOutages()),
    power: async ({ host, vmid }, to) => {
      const { machines: vms, tasks } = world.proxmox
      await tasks.wait(await vms[to]({ host, vmid }, signal), signal)
    },
    running: async ({ name, address }) => {
      const { dialer, clock } = world
      const now = new Date(clock.now())
      const admin = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 24, now })
      const talos = connectTalos({ dialer, clock, credentials: async () => admin })
      try {
        const { resources, version } = talos.node({ machine: name, address })
        const [config, { tag }] = await Promise.all([resources.machineConfig(signal), version(signal)])
        return { config, version: tag }
      } finally {
        await talos.close()
      }
    },
  }
}
