import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { aConfigMap, aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const hosts = aTopology().hosts.map((host) => ({
  ...host,
  bridges: [...host.bridges, { name: 'vmbr9', vlanAware: false, isolated: true }],
}))
const yaml = (bridge: string, more = '') =>
  clusterYaml({
    controlPlanes: 1,
    workers: 1,
    extra: `drill: { bridge: ${bridge}, address: 10.99.0.10, mirror: 'http://10.99.0.2:5000'${more} }\n`,
  })

const topology = { ...aTopology(), hosts, registries: [{ bridge: 'vmbr9', address: '10.99.0.2:5000' }] }

test('a snapshot is restored on a machine of its own, counted, and noted; the cluster next to it never notices', async () => {
  program = await aProgram({ 'cluster.yaml': yaml('vmbr9') }, { topology, speed: 1000 })
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'))
  const backup = (await program.ichor(['backup', '--json'])).json().at(-1)?.snapshot as { name: string }
  const { world } = await program.connect()
  const names = async () =>
    (await world.proxmox.cluster.resources(AbortSignal.timeout(20_000))).guests.map(({ name }) => name).sort()
  const before = await names()

  // Interrupted in the middle, the next one begins by removing what is left.
  const interrupt = new AbortController()
  const cut = program.ichor(['drill', '--yes'], {}, interrupt.signal)
  while (!(await names()).includes('dev-drill-1')) await new Promise((resolve) => setTimeout(resolve, 20))
  interrupt.abort()
  expect((await cut).code).toBe(130)
  expect(await names()).toContain('dev-drill-1')

  const drilled = await program.ichor(['drill', '--yes', '--json', '--force-unlock'])
  expect(drilled.json().at(-1)).toMatchObject({
    type: 'drill.finished',
    snapshot: backup.name,
    outcome: 'passed',
    offline: false,
    missing: {},
    found: { '/registry/configmaps/': expect.any(Number) },
  })
  expect(await names()).toEqual(before)
  const note = await readFile(join(program.folder, 'backups.lab', `${backup.name}.drill.json`), 'utf8')
  expect(JSON.parse(note)).toMatchObject({ result: { version: 1, outcome: 'passed', offline: false } })
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members: 1 }, backup: { drilled: expect.any(String) } })
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })

  const dry = await program.ichor(['drill', '--dry-run', '--json'])
  const { steps } = dry.json().at(-1) as { steps: { kind: string; after: string[] }[] }
  const order = steps.map(({ kind }) => kind)
  expect(order.indexOf('prove-isolation')).toBeGreaterThan(order.indexOf('reach-machine'))
  expect(order.indexOf('recover-etcd')).toBeGreaterThan(order.indexOf('prove-isolation'))

  // Never where the cluster could be met: by what Proxmox says of the bridge,
  await write(yaml('vmbr0'))
  const refused = await program.ichor(['drill', '--yes', '--json'])
  expect(refused.json().at(-1)).toMatchObject({ error: { message: expect.stringContaining('not isolated') } })
  // and whatever the inventory says of it, by what the machine itself finds.
  const recoveries = () =>
    program
      .lab()
      .lab.ledger.entries()
      .filter(({ event }) => event === 'etcd.bootstrapped').length
  const recovered = recoveries()
  await write(yaml('vmbr0', ', isolated: true').replace('10.99.0.10', '10.0.10.99'))
  const found = await program.ichor(['drill', '--yes', '--json'])
  expect(found).toMatchObject({ code: 3 })
  expect(found.stdout).toContain('dev-drill-1 reaches the cluster at 10.0.10.10:50000, 10.0.10.10:6443')
  expect(recoveries()).toBe(recovered)
  expect(await names()).toEqual(before)
})

test('no registry answers on the bridge of the drill: its images do not arrive, nothing is recovered, nothing stays behind', async () => {
  const options = { topology: { ...topology, registries: [] }, speed: 1000 }
  program = await aProgram({ 'cluster.yaml': yaml('vmbr9') }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  expect(await program.ichor(['backup'])).toMatchObject({ code: 0 })
  const drilled = await program.ichor(['drill', '--yes', '--json'])
  expect(drilled.code).toBe(1)
  expect(drilled.json().at(-1)).toMatchObject({
    error: {
      message: expect.stringMatching(/pull kube-apiserver:\S+ on dev-drill-1: .*10\.99\.0\.2:5000: .*no route to host/),
      fix: expect.stringContaining('drill.mirror'),
    },
  })
  const { vms } = whatIsThere(program.lab().lab)
  expect(vms.filter((vm) => vm.includes('drill'))).toEqual([])
  const made = program
    .lab()
    .lab.ledger.entries()
    .filter(({ event }) => event === 'etcd.bootstrapped')
  expect(made.map(({ detail }) => detail?.recovered)).toEqual([false])
  expect((await program.ichor(['status', '--json'])).json()).toMatchObject([{ backup: { drilled: null } }])
})

test('the lease of a drill holds the run of its journal; a command that changes the cluster removes what the drill left', async () => {
  program = await aProgram({ 'cluster.yaml': yaml('vmbr9') }, { topology, speed: 1000 })
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  expect(await program.ichor(['backup'])).toMatchObject({ code: 0 })
  const { world } = await program.connect()
  const leases = new Set<string>()
  const look = async () => {
    for (const { id, comment = '' } of await world.proxmox.pools.list(AbortSignal.timeout(20_000)))
      if (id.includes('-drill/lease') && comment.startsWith('{')) leases.add(JSON.parse(comment).run)
    return whatIsThere(program.lab().lab).vms.some((vm) => vm.includes('dev-drill-1'))
  }
  const interrupt = new AbortController()
  const cut = program.ichor(['drill', '--yes', '--json'], {}, interrupt.signal)
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20))
  interrupt.abort()
  const drilled = await cut
  const runs = drilled.json().flatMap(({ run }) => (run === undefined ? [] : [run]))
  expect(leases).toEqual(new Set(runs))
  expect(leases.size).toBe(1)

  expect(await program.ichor(['reboot', 'dev-wk-1', '--yes'])).toMatchObject({ code: 0 })
  expect(whatIsThere(program.lab().lab).vms.filter((vm) => vm.includes('drill'))).toEqual([])
})

async function write(text: string): Promise<void> {
  await writeFile(join(program.folder, 'cluster.yaml'), text)
}
