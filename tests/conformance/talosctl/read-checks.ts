import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSnapshotFile } from '../../../src/simulator/talos/etcd/snapshot-file.js'
import { type Check, contains } from './talosctl.js'

/** Nothing listens there. */
const nobody = '10.5.0.99'

/** What talosctl shows. */
export const readChecks: readonly Check[] = [
  {
    title: 'health, judged by the node',
    run: async (talosctl, { controlPlanes: [first = ''] }) =>
      contains(
        await talosctl.on([first], 'health', '--wait-timeout', '60s'),
        'etcd to be healthy: OK',
        'schedulable: OK',
      ),
  },
  {
    title: 'health --server=false',
    run: async (talosctl, { controlPlanes, worker }) => {
      const nodes = ['--control-plane-nodes', controlPlanes.join(','), '--worker-nodes', worker]
      const text = await talosctl.on(controlPlanes, 'health', '--server=false', '--wait-timeout', '60s', ...nodes)
      contains(text, 'all nodes disk sizes: OK', 'coredns to report ready: OK', 'schedulable: OK')
    },
  },
  {
    title: 'version of two nodes of which one is not there',
    run: async (talosctl, { worker }) => {
      const text = await talosctl.on([worker, nobody], 'version')
      contains(text, `NODE:        ${worker}`, 'Tag:         v1.13.9', `${nobody}: rpc error: code = Unavailable`)
    },
  },
  {
    title: 'logs of two nodes',
    run: async (talosctl, { controlPlanes: [first = ''], worker }) =>
      contains(await talosctl.on([first, worker], 'logs', 'apid'), `${first}: `, `${worker}: `, 'Health check'),
  },
  {
    title: 'dmesg of two nodes',
    run: async (talosctl, { controlPlanes: [first = ''], worker }) =>
      contains(await talosctl.on([first, worker], 'dmesg'), `${first}: `, `${worker}: `, 'Linux version'),
  },
  {
    title: 'services',
    run: async (talosctl, { controlPlanes: [first = ''] }) =>
      contains(await talosctl.on([first], 'services'), 'etcd', 'kubelet', 'Running', 'OK'),
  },
  {
    title: 'the config of a control plane, which holds all secrets',
    run: async (talosctl, { controlPlanes: [first = ''] }) =>
      contains(
        await talosctl.on([first], 'get', 'machineconfig', 'v1alpha1', '-o', 'jsonpath={.spec}'),
        'version: v1alpha1',
        'aggregatorCA:',
      ),
  },
  ...gets({
    links: ['LINK STATE', 'eth0', 'ether'],
    addresses: ['ADDRESS', '10.5.0.2/24'],
    members: ['MACHINE TYPE', 'worker-1', 'controlplane'],
    mc: ['MachineConfig', 'v1alpha1'],
    disks: ['TRANSPORT', 'QEMU HARDDISK'],
    volumestatus: ['EPHEMERAL', 'ready', '19 GB'],
    rd: ['linkstatuses.net.talos.dev', 'linkstatus ls'],
    machinestatus: ['STAGE', 'running', 'true'],
    staticpodstatus: ['kube-system/kube-apiserver-cp-1', 'True'],
    extensions: ['schematic', 'qemu-guest-agent'],
  }),
  {
    title: 'kubeconfig',
    run: async (talosctl, { controlPlanes: [first = ''], folder }) => {
      const file = join(folder, 'kubeconfig')
      await talosctl.on([first], 'kubeconfig', file)
      contains(readFileSync(file, 'utf8'), 'admin@dev')
    },
  },
  {
    title: 'etcd members and etcd status',
    run: async (talosctl, { controlPlanes }) => {
      contains(await talosctl.on(controlPlanes.slice(0, 1), 'etcd', 'members'), 'cp-1', 'cp-2', 'cp-3', 'false')
      contains(await talosctl.on(controlPlanes, 'etcd', 'status'), '3.6.12', '3.6.0')
    },
  },
  {
    title: 'etcd snapshot, which it checks itself',
    run: async (talosctl, { controlPlanes: [first = ''], folder }) => {
      const file = join(folder, 'db.snapshot')
      const text = await talosctl.on([first], 'etcd', 'snapshot', file)
      const content = readSnapshotFile(readFileSync(file))?.content
      contains(text, `revision ${content?.revision}, total keys ${content?.records.length}`)
    },
  },
  {
    title: 'dashboard',
    run: async (talosctl, { controlPlanes: [first = ''] }) =>
      contains(await talosctl.inTerminal(4000, [first], 'dashboard'), 'cp-1', 'v1.13.9', 'READY'),
  },
  {
    title: 'a method that the lab does not serve is named, not a broken stream',
    run: async (talosctl, { worker }) => {
      const text = await talosctl.on([worker], 'netstat').catch((error: Error) => error.message)
      contains(text, 'Unimplemented', 'unknown method Netstat for service machine.MachineService')
    },
  },
  {
    title: 'a resource type that does not exist',
    run: async (talosctl, { worker }) => {
      const text = await talosctl.on([worker], 'get', 'nothings').catch((error: Error) => error.message)
      contains(text, 'nothings')
    },
  },
  {
    title: 'support',
    run: async (talosctl, { controlPlanes: [first = ''], worker, folder }) => {
      const file = join(folder, 'support.zip')
      const text = await talosctl.on([first, worker], 'support', '-O', file)
      if (text.includes('Processed with errors')) throw new Error(text.slice(text.indexOf('Processed with errors')))
      const names = execFileSync('python3', ['-m', 'zipfile', '-l', file]).toString()
      contains(names, `${first}/dmesg.log`, `${worker}/service-logs/kubelet.log`, 'kubernetesResources')
    },
  },
]

/** Short names, with what the table must show. */
function gets(words: Readonly<Record<string, readonly string[]>>): Check[] {
  return Object.entries(words).map(([alias, wanted]) => ({
    title: `get ${alias}`,
    run: async (talosctl, { controlPlanes: [first = ''] }) =>
      contains(await talosctl.on([first], 'get', alias), ...wanted),
  }))
}
