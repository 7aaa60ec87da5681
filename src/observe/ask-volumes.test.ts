import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import { seen, unseen } from '../cluster/seen.js'
import type { World } from '../world.js'
import { askVolumes, locationsThatMatter, seedLocations } from './ask-volumes.js'
import { questionOf } from './observe-scope.js'
import type { Observed, ObservedMachine } from './observed.js'

const hosts = ['pve1', 'pve2', 'pve3']
const inventory = await anInventory({ workers: 2, hosts })
const question = questionOf(inventory)
const spec = specFor(inventory)
const empty = aWorld(hosts)
const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
const worker = made.machines.find(({ name }) => name === 'dev-wk-2')
const home = worker?.host ?? ''

function look(observed: Observed, asked = question): string[] {
  const names = new Set(observed.machines.map(({ name }) => name))
  const missing = asked.machines.filter(({ name }) => !names.has(name))
  return locationsThatMatter(asked, observed.proxmox, { machines: observed.machines, missing }).map(
    ({ host, storage, content }) => `${host}/${storage} ${content}`,
  )
}

function change(seen: Observed, to: (machine: ObservedMachine) => Partial<ObservedMachine> | undefined): Observed {
  const machines = seen.machines.flatMap((machine) => {
    const changed = machine.name === 'dev-wk-2' ? to(machine) : {}
    return changed === undefined ? [] : [{ ...machine, ...changed }]
  })
  return { ...seen, machines }
}

const making = (machine: ObservedMachine) => ({ mark: { ...machine.mark, stage: 'making' as const } })
const claimed = ({ mark, options: { scsi0: _, ...options } }: ObservedMachine) => ({
  mark: { ...mark, stage: 'making' as const },
  options,
})
const everywhere = hosts.flatMap((host) => [`${host}/local iso`, `${host}/local import`])

test.each([
  { when: 'every machine is made', seen: made, at: [] },
  { when: 'one has its disks and is not made yet', seen: change(made, making), at: [] },
  { when: 'one has no disks yet', seen: change(made, claimed), at: [`${home}/local import`] },
  { when: 'one is missing', seen: change(made, () => undefined), at: everywhere },
  { when: 'nothing is there', seen: empty, at: everywhere },
])('when $when, it matters what lies on $at', ({ seen: observed, at }) => {
  expect(look(observed)).toEqual(at)
})

test('storages are too many to look at for machines that only wait for their disks: then the plan leaves it open', async () => {
  const many = ['pve1', 'pve2', 'pve3', 'pve4', 'pve5', 'pve6']
  const wide = await anInventory({ workers: 11, hosts: many })
  const seen = carriedOut(planOf(specFor(wide), aWorld(many)).steps, specFor(wide)(aWorld(many)), aWorld(many))
  const bare = { ...seen, machines: seen.machines.map((machine) => ({ ...machine, ...claimed(machine) })) }
  expect(look(bare, questionOf(wide))).toEqual([])
  expect(look({ ...bare, machines: bare.machines.slice(1) }, questionOf(wide))).toHaveLength(12)
  const reasons = planOf(specFor(wide), { ...bare, proxmox: { ...bare.proxmox, contents: [] } })
    .steps.filter(({ kind }) => kind === 'fetch-image')
    .map(({ reason }) => reason)
  expect(reasons).toEqual(many.map((host) => `machines on ${host} boot from it, unless it exists already`))
})

test('a shared storage is looked at through one host, a host that is offline not at all', () => {
  const [first, ...others] = empty.proxmox.hosts
  const proxmox = {
    ...empty.proxmox,
    storages: empty.proxmox.storages.map((one) => ({ ...one, shared: one.storage === 'local' })),
    hosts: first === undefined ? [] : [{ ...first, online: false }, ...others],
  }
  expect(look({ ...empty, proxmox })).toEqual(['pve2/local iso', 'pve2/local import'])
})

test.each([
  { what: 'is pinned to a host', asked: { machines: question.machines.map((one) => ({ ...one, host: 'pve2' })) } },
  { what: 'boots from an ISO', asked: { imageContent: 'iso' as const } },
])('an upload of a missing machine that $what may lie on any host, as an image or as an ISO', ({ asked }) => {
  expect(look(empty, { ...question, ...asked })).toEqual(everywhere)
})

test('a run that did not end well may have left an upload anywhere, though every machine is made', () => {
  expect(look({ ...made, proxmox: { ...made.proxmox, intent: [2000] } })).toEqual(everywhere)
})

test('destroy looks for seeds on every possible storage', () => {
  const locations = seedLocations(question, made.proxmox, made.machines)
  expect(locations.map(({ host, storage, content }) => `${host}/${storage} ${content}`)).toEqual(everywhere)
})

test('a storage of a host that falls silent is not seen, and is not taken for empty', async () => {
  const world = aStub<World>({
    proxmox: {
      storage: {
        content: async (host) => {
          if (host === 'pve2') throw aProxmoxError('host-down')
          return []
        },
      },
    },
  })
  const places = ['pve1', 'pve2'].map((host) => ({ host, storage: 'local', content: 'iso' as const }))
  expect((await askVolumes(places, world, AbortSignal.timeout(5000))).map(({ volumes }) => volumes)).toEqual([
    seen([]),
    unseen('pve2 does not answer'),
  ])
})
