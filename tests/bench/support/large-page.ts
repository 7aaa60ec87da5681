import type { AnnouncedStep, NewEvent, RunEvent } from '../../../src/events/event.js'
import type { HostView, MachineView, Snapshot } from '../../../src/page/snapshot.js'
import { aSnapshot } from '../../../src/page/testing/snapshots.js'

const GiB = 1024 ** 3
const perHost = 20
const kinds = ['create-vm', 'start-machine', 'await-node']

const names = (machines: number) => Array.from({ length: machines }, (_, index) => `big-wk-${index + 1}`)
const hostOf = (index: number) => `pve${Math.floor(index / perHost) + 1}`

/** What a look at a cluster of that many machines finds. */
export function aLargeSnapshot(count: number): Snapshot {
  const at = new Date().toISOString()
  const machines = names(count).map(
    (name, index): MachineView => ({
      name,
      role: index < 5 ? 'controlplane' : 'worker',
      host: hostOf(index),
      vmid: 2000 + index,
      address: `10.0.${(index >> 8) + 10}.${index & 255}`,
      ready: true,
      state: 'ready',
      talos_version: 'v1.13.9',
      kubernetes_version: 'v1.36.3',
      memory_used: 6 * GiB,
      problems: [],
    }),
  )
  const hosts = [...new Set(machines.map(({ host }) => host ?? ''))]
  const without = (host: string): Snapshot['losses'][number] => ({
    host,
    etcd: { members: 5, left: 4, needed: 3, survives: true },
    api: { survives: true, reason: 'the VIP 10.0.10.5 moves to a control plane that is left' },
    pools: [{ name: 'worker', machines: count, left: count - perHost, survives: true }],
    refit: {
      fits: true,
      reason: `${perHost} machines of ${host} fit on the other hosts`,
      moves: machines.filter((one) => one.host === host).map(({ name }) => ({ machine: name, host: 'pve1' })),
    },
  })
  return aSnapshot({
    at,
    machines,
    hosts: hosts.map((host) => hostView(host, machines, at)),
    losses: hosts.map(without),
  })
}

function hostView(name: string, machines: readonly MachineView[], at: string): HostView {
  return {
    name,
    online: true,
    maintenance: false,
    at,
    proxmox_version: '9.2.3',
    cpus: 64,
    memory: 512 * GiB,
    memory_used: 200 * GiB,
    cpu_ratio: 0.2,
    reserve: 32 * GiB,
    blocks: machines
      .filter(({ host }) => host === name)
      .map((machine) => ({
        kind: 'machine',
        name: machine.name,
        vmid: machine.vmid,
        memory: 16 * GiB,
        state: 'running',
      })),
    storages: [{ name: 'local-lvm', type: 'lvmthin', shared: false, total: 100, used: 50, metadata_share: 0.2 }],
  }
}

/** The events of a run over that many machines: it begins, each step starts, reports and ends; then steps report on and on. */
export function* eventsOfLargeRun(count: number): Generator<RunEvent> {
  const steps = names(count).flatMap((machine) =>
    kinds.map(
      (kind, index): AnnouncedStep => ({
        id: `${kind}:${machine}`,
        kind,
        title: `${kind} ${machine}`,
        machine,
        after: index === 0 ? [] : [`${kinds[index - 1]}:${machine}`],
      }),
    ),
  )
  let seq = 0
  const numbered = (event: NewEvent): RunEvent => ({ ...event, run: 'large', seq: ++seq })
  const at = () => new Date().toISOString()
  yield numbered({ type: 'run.started', at: at(), version: 1, cluster: 'big', goal: 'up', changes: 1, steps })
  for (const { id: step } of steps) {
    yield numbered({ type: 'step.started', at: at(), step, attempt: 1 })
    if (step.startsWith('await')) yield numbered({ type: 'step.noted', at: at(), step, text: 'not ready yet' })
    yield numbered({ type: 'step.finished', at: at(), step, ms: 100, outcome: 'done' })
  }
  for (let note = 1; ; note++)
    for (const { id: step } of steps)
      yield numbered({ type: 'step.noted', at: at(), step, text: `checked ${note} times` })
}
