import fc from 'fast-check'
import { agentCalls } from '../../../src/proxmox/client/agent.js'
import { backupCalls } from '../../../src/proxmox/client/backup.js'
import { clusterCalls } from '../../../src/proxmox/client/cluster.js'
import { firewallCalls } from '../../../src/proxmox/client/firewall.js'
import { highAvailabilityCalls } from '../../../src/proxmox/client/high-availability.js'
import { hostCalls } from '../../../src/proxmox/client/hosts.js'
import { machineCalls } from '../../../src/proxmox/client/machines.js'
import { poolCalls } from '../../../src/proxmox/client/pools.js'
import { storageCalls } from '../../../src/proxmox/client/storage.js'
import { taskCalls } from '../../../src/proxmox/client/tasks.js'
import type { ProxmoxApi } from '../../../src/proxmox/client/transport/api.js'
import { defineTarget } from '../target.js'
import { anyJson } from '../values.js'

const keys = [
  'data',
  'vmid',
  'node',
  'type',
  'status',
  'name',
  'tags',
  'pool',
  'poolid',
  'comment',
  'members',
  'lock',
  'maxmem',
  'maxcpu',
  'content',
  'storage',
  'volid',
  'size',
  'key',
  'value',
  'pending',
  'delete',
  'digest',
  'upid',
  'exitstatus',
  'n',
  't',
  'iface',
  'cidr',
  'gateway',
  'version',
  'release',
  'map',
  'id',
  'quorate',
  'ip',
  'online',
  'result',
  'hardware-address',
  'ip-addresses',
  'ip-address',
  'net0',
  'smbios1',
  'description',
  'hastate',
  'sid',
  'starttime',
  'user',
]
const signal = new AbortController().signal
const vm = { host: 'pve1', vmid: 100 }
const clock = { now: () => 0, monotonic: tick(), sleep: async () => {} }

/** A clock on which every look takes an hour, so that whatever waits gives up. */
function tick(): () => number {
  let now = 0
  return () => {
    now += 3_600_000
    return now
  }
}

/** A Proxmox that answers everything with the next of these. */
function apiThatSays(answers: readonly unknown[]): ProxmoxApi {
  let next = 0
  const say = async () => answers[next++ % answers.length]
  return {
    identity: 'root@pam!ichor',
    call: async () => ({ data: await say() }),
    get: say,
    post: say,
    put: say,
    delete: say,
    lastHeard: () => undefined,
    clockOffset: () => undefined,
  }
}

/** Every question that ichor asks of Proxmox. */
function questionsTo(api: ProxmoxApi): (() => Promise<unknown>)[] {
  const cluster = clusterCalls(api, { hasOwnTime: false })
  const startTask = async () => ({ host: 'pve1', upid: 'UPID:pve1:1:2:3:qmstart:100:root@pam:' })
  const machines = machineCalls(api, startTask)
  const storage = storageCalls(api, startTask)
  const tasks = taskCalls(api, clock, 1000)
  return [
    () => cluster.version(signal),
    () => cluster.resources(signal),
    () => cluster.status(signal),
    () => cluster.pciMappings(signal),
    () => cluster.isVmidFree(100, signal),
    () => hostCalls(api).bridges('pve1', signal),
    () => machines.findConfig(vm, signal),
    () => machines.findOptions(vm, signal),
    () => machines.pending(vm, signal),
    () => machines.findStatus(vm, signal),
    () => storage.content('pve1', 'local', 'iso', signal),
    () => tasks.running('pve1', signal),
    () => tasks.wait({ host: 'pve1', upid: 'UPID:pve1:1:2:3:qmstart:100:root@pam:' }, signal),
    () => poolCalls(api).list(signal),
    () => poolCalls(api).find('dev', signal),
    () => agentCalls(api).findAddresses(vm, signal),
    ...questionsOf(firewallCalls(api)),
    ...questionsOf(highAvailabilityCalls(api)),
    ...questionsOf(backupCalls(api)),
  ]
}

/** Those that need nothing but a signal. */
function questionsOf(calls: object): (() => Promise<unknown>)[] {
  return Object.values(calls).flatMap((call: unknown) =>
    typeof call === 'function' && call.length === 1 ? [async () => call(signal) as unknown] : [],
  )
}

export const proxmoxAnswers = defineTarget({
  name: 'proxmox-answers',
  prepare: async () => ({
    inputs: fc.tuple(
      fc.nat(1000),
      fc.array(fc.oneof(anyJson(keys), fc.array(anyJson(keys), { maxLength: 3 })), { minLength: 1, maxLength: 3 }),
    ),
    read: ([which, answers]) => {
      const questions = questionsTo(apiThatSays(answers))
      return questions[which % questions.length]?.()
    },
  }),
})
