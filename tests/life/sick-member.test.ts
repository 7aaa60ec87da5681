import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'
import { etcdNeverLostItsMajority } from '../support/quorum.js'

let program: Program
afterEach(() => program.close())

async function aCluster(controlPlanes: number, workers = 1, hosts = 3) {
  const options = { topology: aTopology({ hosts }), speed: 1000 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ controlPlanes, workers }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
}

const uuidOf = (name: string) => {
  const found = program
    .lab()
    .lab.talos.machines()
    .find((machine) => machine.name === name)
  if (found === undefined) throw new Error(`${name} has no power in the lab`)
  return found.uuid
}

/** Its etcd ends, and Talos starts it again and again. */
async function corrupt(...names: string[]) {
  for (const name of names) program.lab().lab.talos.corruptEtcd(uuidOf(name))
  await program.lab().lab.clock.sleep(60_000)
}

async function removeMember(name: string, address: string) {
  const { world } = await program.connect()
  const signal = AbortSignal.timeout(30_000)
  const { etcd } = world.talos.node({ machine: 'another member', address })
  const members = await etcd.members({ local: false }, signal)
  await etcd.removeMember(members.find(({ hostname }) => hostname === name)?.id ?? '', signal)
  await program.lab().lab.clock.sleep(60_000)
}

async function isHealthy(members: number) {
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members, healthy_members: members }, drift: [] })
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
}

async function isWellAgain(members: number) {
  await isHealthy(members)
  etcdNeverLostItsMajority(program.lab().lab)
}

test.each([
  {
    what: 'corrupt data',
    happen: () => corrupt('dev-cp-1'),
    because: 'its etcd does not start: task "etcd" failed: exit code 2.',
  },
  {
    what: 'no membership any more, although it runs',
    happen: () => removeMember('dev-cp-1', '10.0.10.11'),
    because: 'its member was removed from etcd, so its etcd does not start.',
  },
])(
  'a control plane with $what is named with what repairs it, and that command repairs it',
  async ({ happen, because }) => {
    await aCluster(3)
    await happen()
    const status = await program.ichor(['status'])
    expect(status.stdout).toMatch(/DEGRADED {2}3 of 4 machines ready/)
    expect(status.stdout).toContain(`x dev-cp-1: ${because}  Fix: ichor replace dev-cp-1\n`)
    expect(status.stdout).toMatch(/dev-cp-1 +pve1 +2000 +10\.0\.10\.10 +etcd failed/)
    const { stdout } = await program.ichor(['plan'])
    expect(stdout.replace(/\s+/g, ' ')).toContain(`dev-cp-1: ${because} Fix: ichor replace dev-cp-1`)

    const up = await program.ichor(['up', '--yes'])
    expect(up.code).toBe(1)
    expect(up.stderr).toMatch(/error {2}wait for every health check: dev-cp-1: its etcd does not start: /)
    expect(up.stderr).toMatch(/^fix +ichor replace dev-cp-1\b/m)

    const replaced = await program.ichor(['replace', 'dev-cp-1', '--yes'])
    expect(replaced.code, replaced.stderr.slice(-1500)).toBe(0)
    await isWellAgain(3)
  },
)

const larger = (yaml: string) =>
  yaml.replace('control_plane: { cpu: 2, ram: 4GiB', 'control_plane: { cpu: 2, ram: 6GiB')
const evacuating = (yaml: string) => `${yaml}placement:\n  evacuate: [pve2]\n`

test.each([
  { what: 'more memory for every control plane', edit: larger },
  { what: 'an evacuation of the host of another one', edit: evacuating },
])('a sick control plane is replaced first while $what is wanted as well', async ({ edit }) => {
  await aCluster(3, 1, 4)
  await corrupt('dev-cp-1')
  await writeFile(join(program.folder, 'cluster.yaml'), edit(clusterYaml({ controlPlanes: 3, workers: 1 })))
  const up = await program.ichor(['up', '--yes'])
  expect(up.code).not.toBe(0)
  expect(up.stderr).toMatch(/^fix +.*ichor replace dev-cp-1\b/m)
  const { world } = await program.connect()
  const nodes = await world.kubernetes.at([{ host: '10.0.10.12', port: 6443 }]).nodes(AbortSignal.timeout(30_000))
  expect(nodes.filter(({ unschedulable }) => unschedulable)).toEqual([])

  const replaced = await program.ichor(['replace', 'dev-cp-1', '--yes'])
  expect(replaced.code, replaced.stderr.slice(-1500)).toBe(0)
  await isWellAgain(3)
})

test('the first control plane is cut off from the others, and its API server hangs: another one is asked', async () => {
  await aCluster(3)
  const { lab } = program.lab()
  lab.network.cuts.add({ from: ['10.0.10.10'], to: ['10.0.10.11', '10.0.10.12'] })
  await lab.clock.sleep(20_000)
  for (let poll = 0; poll < 4; poll++) {
    const { stdout } = await program.ichor(['status'])
    expect(stdout).toMatch(/DEGRADED {2}[34] of 4 machines ready/)
    expect(stdout).toContain('The etcd member dev-cp-1 is not healthy.')
  }
})

test('two of five at once: the printed command names both, and replaces one after the other', async () => {
  await aCluster(5, 0)
  await corrupt('dev-cp-1', 'dev-cp-4')
  const up = await program.ichor(['up', '--yes'])
  expect(up.stderr).toMatch(/^fix +ichor replace dev-cp-1 dev-cp-4\b/m)
  const replaced = await program.ichor(['replace', 'dev-cp-1', 'dev-cp-4', '--yes'])
  expect(replaced.code, replaced.stderr.slice(-1500)).toBe(0)
  await isWellAgain(5)
})

test('a machine that rejects its reset is stopped and deleted', async () => {
  await aCluster(3)
  await corrupt('dev-cp-1')
  const reset = { surface: 'talos', path: '/Reset$' } as const
  program.lab().lab.faults.add({
    match: reset,
    action: { kind: 'status', status: 500, message: 'no reset' },
    times: Number.POSITIVE_INFINITY,
  })
  const replaced = await program.ichor(['replace', 'dev-cp-1', '--yes'])
  expect(replaced.code, replaced.stderr.slice(-1500)).toBe(0)
  expect(replaced.stderr).toContain('its VM is stopped instead')
  await isWellAgain(3)
})

const law = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('x '))

test('the majority is lost: that is said first, with the newest snapshot, and the printed command brings it back', async () => {
  await aCluster(3)
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await corrupt('dev-cp-1', 'dev-cp-2')
  const [first, ...others] = law((await program.ichor(['status'])).stdout)
  expect(first).toMatch(
    /^x etcd has lost its majority: \d of 3 members are healthy, 2 are needed\. {2}Fix: Restore the newest snapshot, which is .* old: ichor restore \S+$/,
  )
  expect(first).toContain(snapshot.name)
  expect(others.filter((line) => line.includes('ichor logs'))).toEqual([])
  const restored = await program.ichor(['restore', snapshot.name, '--yes'])
  expect(restored.code, restored.stderr.slice(-1500)).toBe(0)
  await isHealthy(3)
})

test('everything is lost, and there is a snapshot: restore is named and not up', async () => {
  await aCluster(1, 0)
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await program.loseEverything()
  const [first, ...others] = law((await program.ichor(['status'])).stdout)
  expect([first, ...others]).toEqual([
    expect.stringMatching(
      /^x No machine of this cluster exists\. {2}Fix: Restore the newest snapshot, which is .* old \(ichor up would .*\): ichor restore \S+$/,
    ),
  ])
  expect(first).toContain(snapshot.name)
})

test('the only control plane has a corrupt etcd: restore brings it back', async () => {
  await aCluster(1, 1)
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await corrupt('dev-cp-1')
  const [first] = law((await program.ichor(['status'])).stdout)
  expect(first).toMatch(/^x etcd has lost its majority\. {2}Fix: Restore the newest snapshot, .*: ichor restore /)
  const up = await program.ichor(['up', '--yes'])
  expect(up.code).not.toBe(0)
  const restored = await program.ichor(['restore', snapshot.name, '--yes'])
  expect(restored.code, restored.stderr.slice(-1500)).toBe(0)
  await isHealthy(1)
})
