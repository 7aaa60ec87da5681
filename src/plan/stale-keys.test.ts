import { beforeAll, expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf } from '../../tests/support/worlds.js'
import { keyNames } from '../cluster/cluster-key.js'
import { resolveDesired } from '../desired/resolve-desired.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import type { SecretsBundle, SecretsFile } from '../secrets/bundle.js'
import { advanceRotation, beginRotation, changedFile } from '../secrets/rotation.js'
import { aBundle } from '../talos/config/testdata/a-machine.js'

const hosts = ['pve1', 'pve2', 'pve3']
const before: SecretsFile = { bundle: aBundle(), memory: { bootstrapped: true, sealed: true, values: {} } }
const author = { run: 'run-1', by: 'ada@desk', at: '2026-01-31T12:00:00.000Z' }
const what = 'etcd-encryption-key'
const freshKey = (byte: number) => ({ key: Buffer.alloc(32, byte).toString('base64') })

/** The secrets after so many phases of a rotation. */
function rotated(phases: number, byte = 7): SecretsFile {
  let file = before
  for (let phase = 0; phase < phases; phase++)
    file = changedFile(
      file,
      phase === 0 ? beginRotation(file, { what, after: 0, ...author }, freshKey(byte)) : advanceRotation(file, author),
    )
  return file
}

let inventory: Inventory
beforeAll(async () => {
  inventory = await anInventory({ controlPlanes: 3, workers: 1, hosts, with: { talos_version: 'v1.14.1' } })
})

function wanting(secrets: SecretsFile) {
  const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
  return (observed: Observed) =>
    resolveDesired({ inventory, secrets, patches, addons: [], intent: {}, until: 'healthy' }, observed)
}

/** A cluster that was made and changed with these secrets. */
function runningWith(secrets: SecretsFile): Observed {
  const empty = aWorld(hosts)
  return carriedOut(planOf(wanting(secrets), empty).steps, wanting(secrets)(empty), empty)
}

function eachMachine(observed: Observed, change: (machine: ObservedMachine) => ObservedMachine): Observed {
  return { ...observed, machines: observed.machines.map(change) }
}

/** As releases left it that recorded no keys. */
function withoutRecord(observed: Observed): Observed {
  return eachMachine(observed, ({ mark: { more: { keys: _, ...more } = {}, ...mark }, ...machine }) => ({
    ...machine,
    mark: { ...mark, more },
  }))
}

const kindsFor = (secrets: SecretsFile, observed: Observed) =>
  new Set(planOf(wanting(secrets), observed).steps.map(({ kind }) => kind))

test('one control plane that can be read in Proxmox, and no node that answers, are enough to know older secrets', () => {
  const cluster = runningWith(rotated(5))
  const [first] = cluster.machines.filter(({ mark }) => mark.role === 'controlplane')
  const left = afterMishap(
    { ...cluster, machines: first === undefined ? [] : [first] },
    'dev-cp-1',
    'it was switched off',
  )
  expect(() => planOf(wanting(before), left)).toThrow(
    'The secrets are older than the cluster: the key of the Secrets in etcd was rotated by ada@desk on 2026-01-31 12:00 UTC.',
  )
  expect(kindsFor(rotated(5), left).size).toBeGreaterThan(0)
})

test.each([1, 2, 3, 4])('secrets from phase %i of a rotation that went on are refused', (phase) => {
  expect(() => planOf(wanting(rotated(phase)), runningWith(rotated(5)))).toThrow('older than the cluster')
})

test.each([1, 2, 3, 4, 5])('phase %i is recorded before any config changes, and the phase before it fits', (phase) => {
  const { steps } = planOf(wanting(rotated(phase)), runningWith(rotated(phase - 1)))
  expect(steps.slice(0, 3).map(({ kind, machine }) => `${kind} ${machine}`)).toEqual([
    'record-keys dev-cp-1',
    'record-keys dev-cp-2',
    'record-keys dev-cp-3',
  ])
})

test('the same phase of another rotation is not the one on record', () => {
  expect(() => planOf(wanting(rotated(1, 8)), runningWith(rotated(1)))).toThrow(
    'other keys than those that the control',
  )
})

test('a node that went back to an older key is repaired, because the record fits the secrets', () => {
  const [newest, older] = [runningWith(rotated(5)), runningWith(before)]
  const configs = new Map(older.machines.map(({ name, talos }) => [name, talos]))
  const mixed = eachMachine(newest, (machine) => ({ ...machine, talos: configs.get(machine.name) ?? machine.talos }))
  expect(kindsFor(rotated(5), mixed)).toContain('change-config')
})

const other = Buffer.from('another one').toString('base64')
const replaced: Record<keyof typeof keyNames, (bundle: SecretsBundle) => SecretsBundle> = {
  'talos-ca': ({ certs, ...bundle }) => ({ ...bundle, certs: { ...certs, os: { crt: other, key: other } } }),
  'kubernetes-ca': ({ certs, ...bundle }) => ({ ...bundle, certs: { ...certs, k8s: { crt: other, key: other } } }),
  'etcd-ca': ({ certs, ...bundle }) => ({ ...bundle, certs: { ...certs, etcd: { crt: other, key: other } } }),
  'aggregator-ca': ({ certs, ...bundle }) => ({
    ...bundle,
    certs: { ...certs, k8saggregator: { crt: other, key: other } },
  }),
  'service-account-key': ({ certs, ...bundle }) => ({
    ...bundle,
    certs: { ...certs, k8sserviceaccount: { key: other } },
  }),
  'etcd-encryption-key': ({ secrets, ...bundle }) => ({
    ...bundle,
    secrets: { ...secrets, secretboxencryptionsecret: freshKey(9).key },
  }),
  'bootstrap-token': ({ secrets, ...bundle }) => ({ ...bundle, secrets: { ...secrets, bootstraptoken: 'a.b' } }),
  'trustd-token': (bundle) => ({ ...bundle, trustdinfo: { token: 'a.b' } }),
  'cluster-id': ({ cluster, ...bundle }) => ({ ...bundle, cluster: { ...cluster, id: other } }),
  'cluster-secret': ({ cluster, ...bundle }) => ({ ...bundle, cluster: { ...cluster, secret: other } }),
}

test.each(Object.entries(replaced))('without a record, nodes with another %s show it', (key, replace) => {
  const secrets = { ...before, bundle: replace(before.bundle) }
  expect(() => planOf(wanting(secrets), withoutRecord(runningWith(before)))).toThrow(
    `The cluster runs with other keys than those of the secrets: ${keyNames[key as keyof typeof keyNames]} (seen on dev-cp-1), and no rotation is under way.`,
  )
})

test('without a record, a rotation of an older release goes on', () => {
  for (const phase of [1, 2, 3, 4, 5])
    expect(kindsFor(rotated(phase), withoutRecord(runningWith(rotated(phase - 1))))).toContain('record-keys')
})

test('no VM is made for secrets whose Talos CA no control plane has', () => {
  const untrusting = (names: readonly string[]) =>
    eachMachine(withoutRecord(runningWith(before)), (machine) =>
      names.includes(machine.name)
        ? { ...machine, talos: { reach: 'silent', reason: 'untrusted', isUntrusted: true } }
        : machine,
    )
  const all = untrusting(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(() => planOf(wanting(before), { ...all, machines: all.machines.slice(0, 3) })).toThrow(
    'dev-cp-1, dev-cp-2, dev-cp-3 have certificates that another Talos CA than that of the secrets has signed',
  )
  expect(() => planOf(wanting(before), untrusting(['dev-cp-1', 'dev-wk-1']))).not.toThrow()
})
