import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
  const { code, stderr } = await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

const json = async (...words: string[]) => {
  const { stdout } = await desk.ichor([...words, '--json'])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

test('one cluster through its verbs, each with the JSON that it promises', async () => {
  expect(await json('validate')).toEqual({ version: 1, valid: true, problems: [] })

  const plan = await json('plan', '--lab')
  expect(plan).toMatchObject({ version: 2, changes: expect.any(Number), rounds: 1 })
  for (const step of plan.steps) {
    expect(Object.keys(step)).toEqual(
      expect.arrayContaining(['id', 'round', 'kind', 'title', 'after', 'lane', 'disruptive', 'reason']),
    )
  }
  expect((await desk.ichor(['plan', '--lab', '--exit-code'])).code).toBe(4)

  const up = await desk.ichor(['up', '--lab', '--yes', '--json'])
  const events = up.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.every(({ version }) => version === 1)).toBe(true)
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', outcome: 'done', changed: plan.changes })
  expect(up.code).toBe(0)
  expect(up.stderr).toContain('wrote kubeconfig.lab')
  expect(readFileSync(join(desk.folder, 'kubeconfig.lab'), 'utf8')).toContain('server: https://10.0.10.10:6443')
  expect((await desk.ichor(['up', '--lab', '--plan', 'cluster.yaml'])).stderr).toContain('The plan cannot be read.')
  expect(await json('up', '--lab', '--yes')).toMatchObject({
    type: 'run.finished',
    outcome: 'nothing-to-do',
    changed: 0,
  })
  expect((await desk.ichor(['plan', '--lab', '--exit-code'])).code).toBe(0)

  const shown = await json('status', '--lab')
  expect(shown).toMatchObject({
    version: 1,
    talos_version: expect.stringMatching(/^v/),
    kubernetes_version: expect.stringMatching(/^v/),
    cluster: 'dev',
    healthy: true,
    endpoint: 'https://10.0.10.10:6443',
    machines: [
      { name: 'dev-cp-1', role: 'controlplane', host: 'pve1', vmid: 2000, address: '10.0.10.10', ready: true },
      { name: 'dev-wk-1', role: 'worker', host: 'pve1', vmid: 3000, address: '10.0.10.20', ready: true },
    ],
    etcd: { members: 1, leader: 'dev-cp-1', healthy: true },
    addons: [],
    certificates: expect.arrayContaining([
      { name: expect.any(String), expires: expect.any(String), expires_soon: expect.any(Boolean) },
    ]),
    drift: [],
  })
  for (const { mac, uuid, talos_version, kubernetes_version } of shown.machines) {
    expect(mac).toMatch(/^02(:[0-9A-F]{2}){5}$/)
    expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect([talos_version, kubernetes_version]).toEqual([shown.talos_version, shown.kubernetes_version])
  }
  expect(await json('health', '--lab')).toMatchObject({ version: 1, healthy: true })

  const capacity = await json('capacity', '--lab', '--lose', 'pve1')
  expect(capacity.hosts[0]).toMatchObject({ name: 'pve1', machines: ['dev-cp-1', 'dev-wk-1'], guests: [] })
  expect(capacity.hosts[0].memory.free).toBe(capacity.hosts[0].memory.total - capacity.hosts[0].memory.used)
  expect(capacity.lose.etcd).toEqual({ members: 1, left: 0, needed: 1, survives: false })

  expect(await json('access', 'check', '--lab')).toMatchObject({ version: 1, enough: true, missing: [] })

  const same = await json('render', '--lab', '--diff')
  expect(same.nodes.map(({ state }: { state: string }) => state)).toEqual(['same', 'same'])
  desk.write('cluster.yaml', `${smallInventory}talos: { sysctls: { vm.max_map_count: "262144" } }\n`)
  const changed = await desk.ichor(['render', '--lab', '--diff'])
  expect(changed.stdout).toContain('vm.max_map_count')
  expect(changed.stdout).toContain('+ "262144"')

  await desk.ichor(['render', '--lab', '--out', 'files', '--classic'])
  expect(readFileSync(join(desk.folder, 'files/talos/generated/dev-wk-1.yaml'), 'utf8')).toContain('262144')
  expect(readFileSync(join(desk.folder, 'files/talos/worker.yaml'), 'utf8')).not.toContain('10.0.10.20')

  const status = await json('lab', 'status')
  expect(Object.keys(status)).toEqual(
    expect.arrayContaining([
      'endpoint',
      'token_id',
      'token_secret',
      'fingerprint',
      'pid',
      'socks',
      'ssh',
      'factory',
      'nodes',
    ]),
  )

  // Somebody else's inventory with the same cluster_name and no secrets: nothing proves that these VMs are his.
  desk.write('other/cluster.yaml', smallInventory)
  const other = await desk.ichor(['destroy', '--lab', '--yes', '-i', 'other'])
  expect(other.code).toBe(3)
  expect(other.stderr).toMatch(/dev-cp-1 \(VM 2000 on pve1\)[\s\S]*type\s+the\s+name\s+of\s+the\s+cluster/)
  expect((await json('status', '--lab')).machines.map(({ state }: { state: string }) => state)).not.toContain('absent')

  expect(await json('destroy', '--lab', '--yes')).toMatchObject({ type: 'run.finished', outcome: 'done' })
})
