import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import type { Desired } from '../desired/desired.js'
import { desiredTeardown } from '../desired/desired-teardown.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import { planRound } from '../rounds/plan-round.js'
import { withVolume } from '../vm/storage-contents.js'

const hosts = ['pve1', 'pve2']
const inventory = await anInventory({ workers: 2, hosts })
const smaller = specFor(await anInventory({ workers: 1, hosts }))
const spec = specFor(inventory)
const empty = aWorld(hosts)
const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
const cluster = made.secrets.clusterId ?? ''
const home = made.machines.find(({ name }) => name === 'dev-wk-2')?.host ?? ''
const elsewhere = hosts.find((host) => host !== home) ?? ''

const seed = (node: string, id = cluster) => `local:import/ichor-${id}-${node}-0a1b2c3d4e5f.raw`

function lyingOn(observed: Observed, host: string, volid: string): Observed {
  const { proxmox } = observed
  const volume = { volid, content: 'import', format: 'raw', size: 0 }
  const contents = withVolume(proxmox.contents, { host, storage: 'local', content: 'import' }, volume)
  return { ...observed, proxmox: { ...proxmox, contents } }
}

function change(seen: Observed, name: string, to: (machine: ObservedMachine) => Partial<ObservedMachine>): Observed {
  return { ...seen, machines: seen.machines.map((one) => (one.name === name ? { ...one, ...to(one) } : one)) }
}

const gone = afterMishap(made, 'dev-wk-2', 'it is gone')
const making = change(made, 'dev-wk-2', ({ mark }) => ({ mark: { ...mark, stage: 'making' } }))
const diskless = change(made, 'dev-wk-2', ({ options: { scsi0: _, ...options } }) => ({ options }))
const away: Observed = {
  ...gone,
  unverified: [{ host: 'pve9', vmid: 1, because: 'away', holds: 'dev-wk-2', text: 'pve9 does not answer' }],
}
const shared = (seen: Observed): Observed => ({
  ...seen,
  proxmox: { ...seen.proxmox, storages: seen.proxmox.storages.map((one) => ({ ...one, shared: true })) },
})

function deleted(desired: Desired, seen: Observed): unknown[] {
  return planRound(desired, seen, 1)
    .filter(({ kind }) => kind === 'remove-seed')
    .map(({ args }) => `${args.host} ${args.volume}`)
}

test.each([
  { what: 'of a machine that is made', seen: made, at: home, isDeleted: true },
  { what: 'of a machine that was made on another host', seen: made, at: elsewhere, isDeleted: true },
  { what: 'of a machine that is being made beside it', seen: making, at: home, isDeleted: false },
  { what: 'of a machine that is being made on another host', seen: making, at: elsewhere, isDeleted: false },
  { what: 'on a shared storage, of one that is being made', seen: shared(making), at: elsewhere, isDeleted: false },
  { what: 'of a machine that was deleted and comes back beside it', seen: gone, at: home, isDeleted: false },
  { what: 'of a machine that was deleted and comes back elsewhere', seen: gone, at: elsewhere, isDeleted: false },
  { what: 'of a made machine that lost its disk and gets a new one', seen: diskless, at: home, isDeleted: false },
  { what: 'of a machine on a host that does not answer', seen: away, at: home, isDeleted: false },
])('an uploaded seed $what: a step of its own deletes it: $isDeleted', ({ seen, at, isDeleted }) => {
  const lying = lyingOn(seen, at, seed('dev-wk-2'))
  expect(deleted(spec(lying), lying)).toEqual(isDeleted ? [`${at} ${seed('dev-wk-2')}`] : [])
})

test('an uploaded seed of an unwanted machine is removed with it, or separately if the machine no longer exists', () => {
  const unwanted = lyingOn(made, home, seed('dev-wk-2'))
  expect(deleted(smaller(unwanted), unwanted)).toEqual([])
  const lost = lyingOn(gone, home, seed('dev-wk-2'))
  expect(deleted(smaller(lost), lost)).toEqual([`${home} ${seed('dev-wk-2')}`])
})

test('files of others are left alone, and so are the uploaded seeds of other clusters', () => {
  const files = [seed('dev-wk-2', 'feedfeedfeed'), 'local:iso/rescue.iso', `local:iso/ichor-${cluster}-dev-wk-2.iso`]
  const lying = files.reduce((seen, file) => lyingOn(seen, home, file), made)
  expect(deleted(spec(lying), lying)).toEqual([])
})

test('two of the same name on two hosts are two steps', () => {
  const lying = hosts.reduce((seen, host) => lyingOn(seen, host, seed('dev-wk-9')), made)
  expect(deleted(spec(lying), lying)).toEqual(hosts.map((host) => `${host} ${seed('dev-wk-9')}`))
})

test('a destruction takes forgotten uploaded seeds along before the pool, which is the last trace of the cluster', () => {
  const lying = lyingOn(gone, elsewhere, seed('dev-wk-2'))
  const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
  const nothing = desiredTeardown(
    { inventory, secrets: undefined, patches, addons: [], intent: {}, until: 'healthy' },
    lying,
  )
  const steps = planDestroyRound(nothing, lying, 1)
  const forgotten = steps.find(({ kind }) => kind === 'remove-seed')
  expect(forgotten?.args).toEqual({ host: elsewhere, volume: seed('dev-wk-2') })
  expect(steps.find(({ kind }) => kind === 'remove-pool')?.after).toContain(forgotten?.id)
})
