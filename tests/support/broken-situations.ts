import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaultOptions } from '../../src/lab/faults/define-fault.js'
import { faultDefinitions } from '../../src/lab/faults/index.js'
import { aHand } from '../chaos/hand.js'
import { aTopology } from './lab.js'
import type { Program } from './program.js'

/** Something that is broken, the command that somebody runs then, and what else has to be there. */
export interface BrokenSituation {
  readonly what: string
  readonly verb: readonly string[]
  /** Before anything is made, as a cluster that stands, or as one with a snapshot of etcd. */
  readonly from?: 'nothing' | 'cluster' | 'snapshot'
  happen(at: Program): Promise<unknown>
}

const empty = { topology: aTopology({ hosts: 3 }), speed: 1000 }
const status = ['status']
const up = ['up']

const labOf = (at: Program) => at.lab().lab
const uuidOf = (at: Program, name: string) =>
  labOf(at)
    .talos.machines()
    .find((machine) => machine.name === name)?.uuid ?? ''
const later = (at: Program) => labOf(at).clock.sleep(90_000)

function vmOf(at: Program, name: string) {
  const vms = Object.values(labOf(at).save().proxmox.state.vms)
  const found = vms.find(({ config }) => config.name === name)
  if (found === undefined) throw new Error(`the lab has no VM ${name}`)
  return { path: `/nodes/${found.host}/qemu/${found.vmid}`, vmid: found.vmid, host: found.host }
}

const work = (at: Program, name: string, method: string, path: string, form = {}) =>
  aHand(labOf(at)).work(method, `${vmOf(at, name).path}${path}`, form)
const set = (at: Program, name: string, form: Readonly<Record<string, string | number>>) =>
  aHand(labOf(at)).call('PUT', `${vmOf(at, name).path}/config`, form)
const fault = async (at: Program, name: string, options: FaultOptions) => {
  const found = faultDefinitions.find((one) => one.name === name)
  if (found === undefined) throw new Error(`the lab has no fault ${name}`)
  await found.run(labOf(at), options)
}
const stop = (at: Program, name: string) => work(at, name, 'POST', '/status/stop')
const remove = async (at: Program, name: string) => {
  await stop(at, name)
  await work(at, name, 'DELETE', '?purge=1')
}
const rewrite = async (at: Program, file: string, change: (text: string) => string) => {
  const path = join(at.folder, file)
  const before = await readFile(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`nothing changes in ${file}`)
  await writeFile(path, after)
}
const inventory = (change: (text: string) => string) => (at: Program) => rewrite(at, 'cluster.yaml', change)

const inCluster = async (
  at: Program,
  use: (world: Awaited<ReturnType<Program['connect']>>['world'], signal: AbortSignal) => Promise<unknown>,
) => {
  const { world, close } = await at.connect()
  await use(world, AbortSignal.timeout(60_000)).finally(close)
}
const corrupt =
  (...names: string[]) =>
  async (at: Program) => {
    for (const name of names) labOf(at).talos.corruptEtcd(uuidOf(at, name))
    await later(at)
  }
const onMachine = (name: string, run: (at: Program, uuid: string) => unknown) => async (at: Program) => {
  await run(at, uuidOf(at, name))
  await later(at)
}
const said =
  (...words: string[]) =>
  async (at: Program) =>
    void (await at.ichor([...words, '--yes']))

export const brokenSituations: readonly BrokenSituation[] = [
  { what: 'no machine exists', verb: status, from: 'nothing', happen: async () => {} },
  { what: 'health of a cluster that was never made', verb: ['health'], from: 'nothing', happen: async () => {} },
  {
    what: 'kubeconfig of a cluster that was never made',
    verb: ['kubeconfig'],
    from: 'nothing',
    happen: async () => {},
  },
  {
    what: 'talosconfig of a cluster that was never made',
    verb: ['talosconfig'],
    from: 'nothing',
    happen: async () => {},
  },
  { what: 'backup of a cluster that was never made', verb: ['backup'], from: 'nothing', happen: async () => {} },
  {
    what: 'the keys of a cluster that has none are rotated',
    verb: ['secrets', 'rotate', 'talos-ca'],
    from: 'nothing',
    happen: async () => {},
  },
  { what: 'a drill without any snapshot', verb: ['drill'], happen: async () => {} },

  { what: 'a worker is stopped', verb: status, happen: (at) => stop(at, 'dev-wk-1') },
  { what: 'a control plane is stopped', verb: status, happen: (at) => stop(at, 'dev-cp-2') },
  {
    what: 'two control planes are stopped',
    verb: status,
    happen: async (at) => {
      await stop(at, 'dev-cp-2')
      await stop(at, 'dev-cp-3')
    },
  },
  {
    what: 'all machines are stopped',
    verb: status,
    happen: async (at) => {
      for (const name of ['dev-wk-1', 'dev-cp-1', 'dev-cp-2', 'dev-cp-3']) await stop(at, name)
    },
  },
  { what: 'the cluster was shut down', verb: status, happen: said('shutdown') },
  { what: 'a worker is deleted', verb: status, happen: (at) => remove(at, 'dev-wk-1') },
  { what: 'a control plane is deleted', verb: status, happen: (at) => remove(at, 'dev-cp-3') },
  { what: 'doctor after a worker was deleted', verb: ['doctor'], happen: (at) => remove(at, 'dev-wk-1') },
  { what: 'health while a worker is stopped', verb: ['health'], happen: (at) => stop(at, 'dev-wk-1') },
  {
    what: 'two control planes are deleted, there is a snapshot',
    verb: status,
    from: 'snapshot',
    happen: async (at) => {
      await remove(at, 'dev-cp-2')
      await remove(at, 'dev-cp-3')
    },
  },
  {
    what: 'everything is lost, there is a snapshot',
    verb: status,
    from: 'snapshot',
    happen: (at) => at.loseEverything(empty),
  },
  {
    what: 'up after everything is lost, there is a snapshot',
    verb: up,
    from: 'snapshot',
    happen: (at) => at.loseEverything(empty),
  },
  {
    what: 'a worker is converted to a template',
    verb: status,
    happen: async (at) => {
      await stop(at, 'dev-wk-1')
      await work(at, 'dev-wk-1', 'POST', '/template')
    },
  },
  {
    what: 'up after a worker is converted to a template',
    verb: up,
    happen: async (at) => {
      await stop(at, 'dev-wk-1')
      await work(at, 'dev-wk-1', 'POST', '/template')
    },
  },
  { what: 'a worker may balloon', verb: ['doctor'], happen: (at) => set(at, 'dev-wk-1', { balloon: 1024 }) },
  {
    what: 'a worker boots from no disk',
    verb: ['doctor'],
    happen: (at) => set(at, 'dev-wk-1', { boot: 'order=net0' }),
  },
  { what: 'a worker has another CPU type', verb: ['doctor'], happen: (at) => set(at, 'dev-wk-1', { cpu: 'kvm64' }) },
  {
    what: 'the guest agent of a worker is switched off',
    verb: ['doctor'],
    happen: (at) => set(at, 'dev-wk-1', { agent: 0 }),
  },
  {
    what: 'a worker is paused by QEMU',
    verb: ['doctor'],
    happen: (at) => fault(at, 'internal-error', { machine: 'dev-wk-1' }),
  },
  { what: 'a worker hangs', verb: status, happen: onMachine('dev-wk-1', (at, uuid) => labOf(at).talos.hang(uuid)) },
  {
    what: 'a control plane hangs',
    verb: status,
    happen: onMachine('dev-cp-2', (at, uuid) => labOf(at).talos.hang(uuid)),
  },
  {
    what: 'doctor while a control plane hangs',
    verb: ['doctor'],
    happen: onMachine('dev-cp-2', (at, uuid) => labOf(at).talos.hang(uuid)),
  },
  { what: 'a worker is wiped', verb: status, happen: onMachine('dev-wk-1', (at, uuid) => labOf(at).talos.wipe(uuid)) },
  {
    what: 'up after a control plane is wiped',
    verb: up,
    happen: onMachine('dev-cp-3', (at, uuid) => labOf(at).talos.wipe(uuid)),
  },
  {
    what: 'a control plane is wiped',
    verb: status,
    happen: onMachine('dev-cp-3', (at, uuid) => labOf(at).talos.wipe(uuid)),
  },
  { what: 'an etcd member has corrupt data', verb: status, happen: corrupt('dev-cp-1') },
  { what: 'up while an etcd member has corrupt data', verb: up, happen: corrupt('dev-cp-1') },
  { what: 'health while an etcd member has corrupt data', verb: ['health'], happen: corrupt('dev-cp-1') },
  {
    what: 'etcd has lost its majority, there is a snapshot',
    verb: status,
    from: 'snapshot',
    happen: corrupt('dev-cp-1', 'dev-cp-2'),
  },
  {
    what: 'up without a majority, there is a snapshot',
    verb: up,
    from: 'snapshot',
    happen: corrupt('dev-cp-1', 'dev-cp-2'),
  },
  {
    what: 'etcd has raised an alarm',
    verb: ['doctor'],
    happen: onMachine('dev-cp-1', (at, uuid) => labOf(at).talos.etcdAlarm(uuid, 'nospace')),
  },
  {
    what: 'the certificate of a node has expired',
    verb: status,
    happen: onMachine('dev-wk-1', (at, uuid) => labOf(at).talos.expireCertificate(uuid)),
  },
  {
    what: 'the API of a node is closed',
    verb: status,
    happen: onMachine('dev-wk-1', (at, uuid) => labOf(at).talos.closeApi(uuid)),
  },
  {
    what: 'a node is removed from Kubernetes',
    verb: status,
    happen: (at) =>
      inCluster(at, (world, signal) =>
        world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }]).deleteNode('dev-wk-1', signal),
      ),
  },
  {
    what: 'the inventory has one worker more',
    verb: status,
    happen: inventory((text) => text.replace('worker_count: 1', 'worker_count: 2')),
  },
  {
    what: 'the inventory has no worker',
    verb: status,
    happen: inventory((text) => text.replace('worker_count: 1', 'worker_count: 0')),
  },
  {
    what: 'the disk of a worker should shrink',
    verb: up,
    happen: inventory((text) => text.replace(/(worker: .*disk: )20G/, '$110G')),
  },
  {
    what: 'health while the inventory differs',
    verb: ['doctor'],
    happen: inventory((text) => text.replace('worker_count: 1', 'worker_count: 2')),
  },
  {
    what: 'the pod network changes',
    verb: up,
    happen: inventory((text) => text.replace('cidr: 10.0.10.0/24', 'cidr: 10.0.10.0/24\n  pod_cidr: 10.200.0.0/16')),
  },
  { what: 'the secrets are lost', verb: up, happen: (at) => rm(join(at.folder, 'secrets.lab.sops.yaml')) },
  {
    what: 'status after the secrets are lost',
    verb: status,
    happen: (at) => rm(join(at.folder, 'secrets.lab.sops.yaml')),
  },
  {
    what: 'a plan file of another inventory',
    verb: ['up', '--plan', 'tonight.json'],
    happen: async (at) => {
      await inventory((text) => text.replace('worker_count: 1', 'worker_count: 2'))(at)
      await at.run(['plan', '-i', at.folder, '--lab', '--out', join(at.folder, 'tonight.json')])
      await inventory((text) => text.replace('worker_count: 2', 'worker_count: 3'))(at)
    },
  },
  {
    what: 'an upgrade while an etcd member has corrupt data',
    verb: ['upgrade', '--talos', 'v1.14.1'],
    happen: corrupt('dev-cp-1'),
  },
  { what: 'a reboot while an etcd member has corrupt data', verb: ['reboot', 'dev-cp-2'], happen: corrupt('dev-cp-1') },
  {
    what: 'a rotation while a worker is off',
    verb: ['secrets', 'rotate', 'talos-ca'],
    happen: (at) => stop(at, 'dev-wk-1'),
  },
  {
    what: 'a backup without a majority',
    verb: ['backup'],
    from: 'snapshot',
    happen: corrupt('dev-cp-1', 'dev-cp-2'),
  },
  {
    what: 'more workers without a majority',
    verb: ['scale', 'workers=2'],
    from: 'snapshot',
    happen: corrupt('dev-cp-1', 'dev-cp-2'),
  },
]
