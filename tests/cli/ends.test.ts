import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from './ichor.js'

const inventory = `cluster_name: dev
control_plane_count: 3
worker_count: 1
talos_version: v1.13.8
kubernetes_version: v1.36.2
network:
  cidr: 10.0.10.0/24
  gateway: 10.0.10.1
  vip: 10.0.10.5
proxmox:
  target_nodes: [pve1, pve2, pve3]
  datastore: local-lvm
backup:
  etcd:
    store: ./backups
addons:
  metrics_server: true
`

let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', inventory)
  const lab = await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
  expect(lab.stderr).toBe('')
  const up = await desk.ichor(['up', '--lab', '--yes'])
  expect(up.stdout).toMatch(/^ok dev is healthy: 4 machines, 2 addons, \d+ changes, /m)
  expect(up.stdout).toMatch(/^ {2}kubectl +export KUBECONFIG=\S+ && kubectl get nodes$/m)
}, 120_000)
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

/** The cluster is the same one all along: each verb finds what the one before has left. */
test.each([
  {
    verb: ['scale', 'workers=2'],
    done: 'dev has 3 control planes and 2 workers',
    next: /^ {2}look +ichor status --lab {4}ichor capacity --lab$/m,
  },
  {
    verb: ['reboot', 'workers'],
    done: 'dev-wk-1 and dev-wk-2 have rebooted and are ready',
    next: /ichor status --lab$/m,
  },
  { verb: ['replace', 'dev-wk-2'], done: 'dev-wk-2 is replaced', next: /ichor status --lab$/m },
  {
    verb: ['evacuate', 'pve3'],
    done: 'No machine of dev is on pve3 any more',
    next: /^ {2}return +ichor evacuate pve3 --return --lab +\(when the maintenance is over\)$/m,
  },
  {
    verb: ['evacuate', 'pve3', '--return'],
    done: 'pve3 can hold machines of dev again',
    next: /ichor capacity --lab$/m,
  },
  {
    verb: ['upgrade', '--talos', 'v1.13.9'],
    done: 'dev runs Talos v1.13.9 and Kubernetes v1.36.2',
    next: /ichor health --lab$/m,
  },
  {
    verb: ['secrets', 'rotate', 'talos-ca'],
    done: 'dev uses a new Talos CA, and the old one is gone',
    next: /^ {2}hand out +new talosconfigs, .*: ichor talosconfig --lab$/m,
  },
])(
  '$verb ends with its own result and next step',
  async ({ verb, done, next }) => {
    const { stdout, stderr, code } = await desk.ichor([...verb, '--lab', '--yes'])
    expect(stdout, stderr).toContain(`ok ${done}: `)
    expect(stdout).toMatch(/: \d+ changes?, [\d.]+ (s|min)/)
    expect(stdout).toMatch(next)
    expect(stdout).not.toMatch(/is healthy|kubectl get nodes/)
    expect(code).toBe(0)
  },
  120_000,
)

test('restore ends with the snapshot that etcd came from', async () => {
  const { stdout: saved } = await desk.ichor(['backup', '--lab', '--json'])
  const name = /dev-\d{8}T\d{6}Z-[0-9a-f]+/.exec(saved)?.[0] ?? ''
  const { stdout, stderr } = await desk.ichor(['restore', name, '--over-healthy', '--delete-data', '--lab', '--yes'])
  expect(stdout, stderr).toContain(`ok etcd of dev is restored from ${name}: `)
  expect(stdout).toMatch(/^ {2}back up +ichor backup --lab$/m)
}, 120_000)

test.each([['up'], ['destroy']])(
  '%s --dry-run shows the plan or its steps, and changes nothing',
  async (verb) => {
    desk.write('cluster.yaml', inventory.replace('worker_count: 1', 'worker_count: 3').replace('v1.13.8', 'v1.13.9'))
    const plan = await desk.ichor([verb, '--lab', '--dry-run'])
    expect(plan.stdout, plan.stderr).toMatch(/machines? to (create|delete)/)
    const steps = await desk.ichor([verb, '--lab', '--dry-run', '--steps'])
    expect(steps.stdout).toMatch(verb === 'up' ? /create VM|claim/i : /delete/)
    expect([plan.code, steps.code]).toEqual([0, 0])
    const { stdout } = await desk.ichor(['status', '--lab', '--json'])
    expect(JSON.parse(stdout).machines.filter(({ ready }: { ready: boolean }) => ready)).toHaveLength(5)
  },
  60_000,
)

test('an upgrade of Talos that takes Kubernetes along says so, and how to keep it', async () => {
  desk.write('cluster.yaml', inventory.replace('kubernetes_version: v1.36.2\n', ''))
  const { stderr } = await desk.ichor(['upgrade', '--talos', 'v1.14.0', '--lab', '--dry-run'])
  expect(stderr).toContain('takes Kubernetes along, v1.36.3 -> v1.37.0')
  expect(stderr).toContain('--kubernetes v1.36.3')
}, 60_000)
