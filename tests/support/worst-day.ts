import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { deriveIdentity } from '../../src/cluster/identity.js'
import { GiB } from '../../src/cluster/machine.js'
import { ifSeen } from '../../src/cluster/seen.js'
import { byHand } from './by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from './lab.js'
import { bootstrapsAmong, whatIsThere } from './left-behind.js'

/** Something bad that happens to a cluster, and that the next `up` repairs. */
export interface Story {
  readonly name: string
  /** The inventory of the cluster that stands when it happens. */
  readonly before: string
  happen(stage: Stage): Promise<void>
  /** The inventory that is wanted afterwards. */
  readonly after: string
  /** What must be true in the end beside everything else that `isWell` asks. */
  judge?(stage: Stage): void
}

export const secretsFile = 'secrets.lab.yaml'

/** Control planes and workers, with secrets that a story can read and put back. */
export function wanting(controlPlanes: number, workers: number, extra = ''): string {
  return clusterYaml({ controlPlanes, workers, extra: `secrets: plain\n${extra}` })
}

const { mac } = deriveIdentity('dev', 'dev-wk-1')

/** Three hosts whose thin disks depend on what they were cloned from; a worker without a config is still given its address. */
const topology = aTopology({
  hosts: 3,
  storages: [
    { id: 'local', type: 'dir', content: ['iso', 'import'], shared: false, total: 200 * GiB },
    { id: 'local-lvm', type: 'zfspool', content: ['images'], shared: false, total: 2000 * GiB },
  ],
  dhcp: [
    {
      bridge: 'vmbr0',
      cidr: '10.0.10.0/24',
      gateway: '10.0.10.254',
      dns: [],
      reservations: [{ mac, address: '10.0.10.20' }],
      poolOffset: 100,
    },
  ],
})

/** A stage for stories of this kind. */
export function aWorstDay(options: Omit<Parameters<typeof aStage>[0], 'topology' | 'speed'>): Promise<Stage> {
  return aStage({ speed: 1500, topology, ...options })
}

/** Many stories run at once where each is killed at its calls. */
const patience = () => AbortSignal.timeout(300_000)

/** The cluster of the story stands, and the story has happened. */
export async function begin(stage: Stage, { before, happen, after }: Story): Promise<void> {
  await stage.write('cluster.yaml', before)
  await stage.up({ forceUnlock: true, signal: patience() })
  await happen(stage)
  await stage.write('cluster.yaml', after)
}

/** `up` repairs it, by itself and without doing harm. */
export async function tell(stage: Stage, story: Story): Promise<void> {
  await begin(stage, story)
  const from = stage.lab.clock.now()
  await finish(stage)
  await isWell(stage, from)
  story.judge?.(stage)
}

/** One run does it, also where the plan was made before everything could be seen. */
export async function finish(stage: Stage): Promise<void> {
  expect((await stage.up({ forceUnlock: true, signal: patience() })).outcome).toMatch(/^(done|nothing-to-do)$/)
}

/** Since that moment `up` did no harm, and what is there now is exactly what the inventory wants. */
export async function isWell(stage: Stage, from: number): Promise<void> {
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  await isAsWanted(stage)
  majorityWasKept(stage, from)
  expect(bootstrapsAmong(stage.lab.ledger.entries().filter(({ at }) => at > from))).toBe(0)
}

/** Inventory, VMs, etcd members and nodes are the same machines, and no upload with keys lies about. */
async function isAsWanted(stage: Stage): Promise<void> {
  const { observed, desired } = await stage.plan()
  const names = desired.machines.map(({ machine }) => machine.name).sort()
  const controlPlanes = desired.machines.flatMap(({ machine: { name, role } }) => (role === 'worker' ? [] : [name]))
  const { vms, volumes } = whatIsThere(stage.lab)
  const machines = vms.map((vm) => vm.split(' ')[2] ?? '').filter((name) => /-(cp|wk)-\d+$/.test(name))
  const etcd = ifSeen(observed.etcd)
  const nodes = ifSeen(observed.kubernetes)?.nodes.filter(({ ready }) => ready) ?? []
  expect(machines.sort()).toEqual(names)
  expect(etcd?.members.map(({ hostname }) => hostname).sort()).toEqual(controlPlanes.sort())
  expect(etcd?.healthy).toHaveLength(controlPlanes.length)
  expect(nodes.map(({ name }) => name).sort()).toEqual(names)
  expect(volumes.filter((volume) => /:(iso|import)\/ichor-/.test(volume))).toEqual([])
}

/** Judged inside the lab: etcd, where it had its majority at that moment or got it since, never lost it. */
export function majorityWasKept({ lab }: Stage, from: number): void {
  expect(lab.availability.etcdOutages().filter((outage) => outage.from > from)).toEqual([])
}

/** The secrets as they were before etcd was made. */
export async function forgetBootstrap(stage: Stage): Promise<void> {
  const text = await readFile(join(stage.folder, secretsFile), 'utf8')
  expect(text).toContain('bootstrapped: true')
  await stage.write(secretsFile, text.replace('bootstrapped: true', 'bootstrapped: false'))
}

/** The next such call is the last that its caller makes. */
export async function killedAt(
  stage: Stage,
  match: Parameters<Stage['lab']['faults']['add']>[0]['match'],
  run: () => Promise<unknown>,
): Promise<void> {
  stage.lab.faults.add({ match, action: { kind: 'kill-caller' } })
  await run().catch(() => undefined)
  expect(stage.lab.faults.list().map(({ hits }) => hits)).toEqual([1])
  stage.lab.faults.clear()
}

/** The UUID under which the lab knows a machine. */
export function uuidOf({ lab }: Stage, name: string): string {
  const found = lab.talos.machines().find((machine) => machine.name === name)
  if (found === undefined) throw new Error(`${name} has no power in the lab`)
  return found.uuid
}

/** Somebody resets a worker, which then waits for a config. */
export async function reset(stage: Stage, machine: string): Promise<void> {
  const { world, signal } = await byHand(stage)
  const address = (await stage.plan()).observed.machines.find(({ name }) => name === machine)?.address ?? ''
  const node = world.talos.node({ machine, address })
  await node.reset({ graceful: false, reboot: true, systemPartitions: ['STATE', 'EPHEMERAL'] }, signal)
  await stage.lab.clock.sleep(240_000)
}
