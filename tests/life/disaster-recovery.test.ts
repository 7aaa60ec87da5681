import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aConfigMap, aProgram, type Program, type Ran } from '../support/program.js'

/** Every story of docs/disaster-recovery.md happens, and its commands are run as they stand there. */
const page = readFileSync('docs/disaster-recovery.md', 'utf8')
const exampleName = 'dev-20261115T120000Z-1a2b3c4d'

let program: Program
let snapshot: string

beforeAll(async () => {
  const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ workers: 1 }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('precious'))
  const { snapshot: taken } = (await program.ichor(['backup', '--json'])).json().at(-1) as {
    snapshot: { name: string }
  }
  snapshot = taken.name
}, 600_000)
afterAll(() => program.close())

/** The commands in the blocks below a heading. */
function commandsBelow(heading: string): string[][] {
  const [, story = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = story.split('\n## ')
  return [...own.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) =>
        line
          .replace(/\s+#.*$/, '')
          .split(/\s+/)
          .slice(1),
      ),
  )
}

const asking = new Set(['up', 'restore', 'replace', 'destroy'])

/** Runs them one after the other, with the real name of the snapshot; people would be asked. */
async function follow(heading: string): Promise<Ran[]> {
  const commands = commandsBelow(heading)
  expect(commands.length).toBeGreaterThan(0)
  const ran: Ran[] = []
  for (const words of commands) {
    const named = words.map((word) => (word === exampleName ? snapshot : word))
    const isAsked = asking.has(words[0] ?? '') && !words.includes('--dry-run')
    ran.push(await program.ichor([...named, ...(isAsked ? ['--yes'] : [])]))
  }
  return ran
}

const codes = (ran: readonly Ran[]) => ran.map(({ code }) => code)

async function loseVms(...names: string[]): Promise<void> {
  const { world } = await program.connect()
  const signal = AbortSignal.timeout(200_000)
  const { guests } = await world.proxmox.cluster.resources(signal)
  for (const { host, vmid } of guests.filter(({ name }) => names.includes(name ?? ''))) {
    await world.proxmox.tasks.wait(await world.proxmox.machines.stop({ host, vmid }, signal), signal)
    await world.proxmox.tasks.wait(await world.proxmox.machines.remove({ host, vmid }, signal), signal)
  }
}

async function isWhole(): Promise<void> {
  expect((await objectsInEtcd((await program.connect()).world)).has('/registry/configmaps/default/precious')).toBe(true)
  const [status] = (await program.ichor(['status', '--json'])).json()
  expect(status).toMatchObject({ healthy: true, etcd: { members: 3, healthy_members: 3 } })
}

test('one control plane is lost', async () => {
  await loseVms('dev-cp-2')
  expect(codes(await follow('One control plane is lost'))).toEqual([0, 0])
  await isWhole()
})

test('an expired certificate', async () => {
  const { lab } = program.lab()
  const uuid = lab.talos.machines().find(({ name }) => name === 'dev-cp-1')?.uuid ?? ''
  await lab.talos.expireCertificate(uuid)
  const { stderr } = await program.ichor(['up', '--yes'])
  expect(stderr).toMatch(/its certificate has expired/)
  expect(codes(await follow('An expired certificate'))).toEqual([0, 0, 0])
  await isWhole()
})

test('a bad change', async () => {
  await program.apply(aConfigMap('mistake'))
  const ran = await follow('A bad upgrade, a bad change, objects deleted by mistake')
  expect(codes(ran)).toEqual([0, 0])
  expect(ran[0]?.stdout).toContain('configmaps default/mistake')
  expect((await objectsInEtcd((await program.connect()).world)).has('/registry/configmaps/default/mistake')).toBe(false)
  await isWhole()
})

test('a majority of the control planes is lost', async () => {
  await loseVms('dev-cp-1', 'dev-cp-2')
  expect(codes(await follow('A majority of the control planes is lost'))).toEqual([0, 0, 0])
  await isWhole()
})

test('a Proxmox host is dead, and comes back', async () => {
  await program.lab().lab.proxmox.setHostOnline('pve3', false)
  const [status, capacity, up] = await follow('A Proxmox host is dead')
  expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('pve3') })
  expect(capacity?.stdout).toContain('dev-cp-3')
  expect(up).toMatchObject({ code: 1, stderr: expect.stringContaining('dev is incomplete') })
  await program.lab().lab.proxmox.setHostOnline('pve3', true)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await isWhole()
})

test('everything is lost', async () => {
  await program.loseEverything()
  expect(codes(await follow('All control planes are lost, or everything is'))).toEqual([0])
  await isWhole()
})

test('the Proxmox cluster is dead: another one, with other hosts and storages', async () => {
  const there = aTopology({ hosts: 3 })
  const rename = (name: string) => name.replace('pve', 'node')
  const topology = {
    ...there,
    hosts: there.hosts.map((host) => ({ ...host, name: rename(host.name) })),
    storages: there.storages.map((one) => (one.id === 'local-lvm' ? { ...one, id: 'tank' } : one)),
  }
  await program.loseEverything({ topology, speed: 1000 })
  const yaml = clusterYaml({ workers: 1 }).replace('local-lvm', 'tank')
  await writeFile(join(program.folder, 'cluster.yaml'), yaml)
  expect(codes(await follow('The Proxmox cluster is dead'))).toEqual([0])
  await isWhole()
})

test('the age key is lost: what opens the file is named, and nothing is changed', async () => {
  const key = join(program.folder, 'sops', 'age', 'keys.txt')
  await rename(key, `${key}.lost`)
  const [status] = await follow('The age key is lost')
  expect(status?.stderr).toMatch(/No age key was found\. The file is encrypted for age1/)
  await rename(`${key}.lost`, key)
  await isWhole()
})
