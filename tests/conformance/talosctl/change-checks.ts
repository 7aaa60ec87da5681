import { join } from 'node:path'
import { until } from '../../../src/simulator/talos/testing/a-lab.js'
import { problemsAfterRotation, trustIn } from '../../support/trust-in.js'
import { type Cluster, schematic } from './a-cluster.js'
import { type Check, contains } from './talosctl.js'

const installer = (version: string) => `factory.talos.dev/nocloud-installer/${schematic}:${version}`

/** What talosctl changes, from what does no harm to what ends a machine. */
export const changeChecks: readonly Check[] = [
  {
    title: 'patch of the machine config of two nodes',
    run: async (talosctl, { controlPlanes: [first = ''], worker }) => {
      const patch = '{"machine":{"sysctls":{"vm.swappiness":"1"}}}'
      const text = await talosctl.on([first, worker], 'patch', 'mc', '-p', patch)
      contains(text, `at the node ${first}`, `at the node ${worker}`, 'Applied configuration without a reboot')
    },
  },
  {
    title: 'patch --dry-run shows mode and difference',
    run: async (talosctl, { worker }) => {
      const patch = '{"machine":{"sysctls":{"vm.swappiness":"2"}}}'
      const text = await talosctl.on([worker], 'patch', 'mc', '--dry-run', '-p', patch)
      contains(
        text,
        'Dry run summary:',
        'without a reboot',
        '-        vm.swappiness: "1"',
        '+        vm.swappiness: "2"',
      )
    },
  },
  {
    title: 'edit of the machine config',
    run: async (talosctl, { worker }) => {
      process.env.EDITOR = 'sed -i s/vm.swappiness/vm.dirty_ratio/'
      await talosctl.on([worker], 'edit', 'mc')
      contains(await talosctl.on([worker], 'get', 'mc', 'v1alpha1', '-o', 'yaml'), 'vm.dirty_ratio')
    },
  },
  {
    title: 'service kubelet restart',
    run: async (talosctl, { worker }) =>
      contains(await talosctl.on([worker], 'service', 'kubelet', 'restart'), 'Service "kubelet" restarted'),
  },
  {
    title: 'reboot',
    run: async (talosctl, { worker }) =>
      contains(await talosctl.on([worker], 'reboot', '--timeout', '60s'), 'post check passed'),
  },
  {
    title: 'upgrade: pull, installer, drain, reboot, uncordon',
    run: async (talosctl, cluster) => {
      const { worker } = cluster
      await settled(cluster, worker)
      const text = await talosctl.on([worker], 'upgrade', '-i', installer('v1.13.10'), '--timeout', '120s')
      contains(text, 'pulled image', 'Exit code: 0', 'node drained', 'post check passed', 'node uncordoned')
      contains(await talosctl.on([worker], 'version'), 'Tag:         v1.13.10')
    },
  },
  {
    title: 'rollback to the other slot',
    run: async (talosctl, cluster) => {
      const { worker, lab } = cluster
      await settled(cluster, worker)
      await talosctl.on([worker], 'rollback')
      await until('the old version runs', () => talosOf(lab, worker) === 'v1.13.9')
    },
  },
  {
    title: 'upgrade --legacy of a control plane, which drains itself',
    run: async (talosctl, cluster) => {
      const { controlPlanes } = cluster
      const node = controlPlanes[2] ?? ''
      const text = await talosctl.on([node], 'upgrade', '--legacy', '-i', installer('v1.13.10'), '--timeout', '120s')
      contains(text, 'post check passed')
      await settled(cluster, node)
      contains(await talosctl.on([node], 'version'), 'Tag:         v1.13.10')
    },
  },
  {
    title: 'upgrade with an installer that cannot be pulled is refused',
    run: async (talosctl, { worker }) => {
      const missing = `factory.talos.dev/nocloud-installer/${'0'.repeat(64)}:v1.13.10`
      const failure = await talosctl.on([worker], 'upgrade', '-i', missing, '--timeout', '60s').catch(String)
      contains(failure, 'not found')
    },
  },
  {
    title: 'upgrade-k8s',
    run: async (talosctl, { controlPlanes: [first = ''] }) => {
      const text = await talosctl.on([first], 'upgrade-k8s', '--from', '1.36.3', '--to', '1.36.4')
      contains(text, 'updating "kube-scheduler" to version "1.36.4"', 'updating kubelet', 'updating manifests')
    },
  },
  {
    title: 'rotate-ca of both authorities',
    run: async (talosctl, { controlPlanes, worker, folder }) => {
      const fresh = join(folder, 'new-talosconfig')
      const everybody = [...controlPlanes, worker]
      const configs = () =>
        Promise.all(everybody.map((node) => talosctl.on([node], 'get', 'mc', 'v1alpha1', '-o', 'jsonpath={.spec}')))
      const [before = ''] = await configs()
      const nodes = ['--control-plane-nodes', controlPlanes.join(','), '--worker-nodes', worker]
      const text = await talosctl.on(controlPlanes.slice(0, 1), 'rotate-ca', '--dry-run=false', '-o', fresh, ...nodes)
      contains(text, 'Removing old Talos CA', 'Kubernetes CA rotation done')
      const refused = await talosctl.on([worker], 'version').catch(String)
      contains(refused, 'ended with 1', 'certificate')
      talosctl.use(fresh)
      contains(await talosctl.on([worker], 'version'), `NODE:        ${worker}`)
      // tests/life/rotate.test.ts asks the same of ours.
      const problems = problemsAfterRotation(await configs(), trustIn(before))
      if (problems.length > 0) throw new Error(problems.join('; '))
    },
  },
  {
    title: 'reset of a partition, with a reboot',
    run: async (talosctl, cluster) => {
      const args = ['--graceful=false', '--reboot', '--system-labels-to-wipe', 'EPHEMERAL', '--timeout', '120s']
      contains(await talosctl.on([cluster.worker], 'reset', ...args), 'events check condition met')
      await settled(cluster, cluster.worker)
    },
  },
  {
    title: 'shutdown',
    run: async (talosctl, { worker, lab }) => {
      contains(await talosctl.on([worker], 'shutdown', '--timeout', '120s'), 'events check condition met')
      await until('it has no power', () => talosOf(lab, worker) === undefined)
    },
  },
]

function talosOf(lab: Cluster['lab'], address: string): string | undefined {
  return lab.guests.machines().find(({ addresses, stage }) => addresses.includes(address) && stage === 'running')?.talos
}

/** Until it runs and is ready again. */
async function settled({ lab }: Cluster, address: string): Promise<void> {
  await until(`${address} is ready`, () =>
    lab.guests
      .machines()
      .some(({ addresses, stage, isReady }) => addresses.includes(address) && stage === 'running' && isReady),
  )
}
