import { isDeepStrictEqual } from 'node:util'
import { seen } from '../../src/cluster/seen.js'
import { resolveDesired } from '../../src/desired/resolve-desired.js'
import { UserFacingError } from '../../src/errors.js'
import type { Observed } from '../../src/observe/observed.js'
import { changedKeys, inventoryDigests } from '../../src/operations/approved-inventory.js'
import { loadSpec } from '../../src/operations/spec/load-spec.js'
import { plainDigest } from '../../src/plan/digest.js'
import { identityOf } from '../../src/plan/step-identity.js'
import { planRound } from '../../src/rounds/plan-round.js'
import { planRounds } from '../../src/rounds/plan-rounds.js'
import type { SecretsFile } from '../../src/secrets/bundle.js'
import { aBundle } from '../../src/talos/config/testdata/a-machine.js'
import { around, values } from './changed-keys.js'
import { inventoryOf } from './inventories.js'
import type { Leaf } from './schema-leaves.js'
import { aWorld, carriedOut } from './worlds.js'

type Tree = Readonly<Record<string, unknown>>

const hosts = ['pve1', 'pve2', 'pve3']

const common: Tree = {
  cluster_name: 'dev',
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  control_plane_count: 1,
  worker_count: 1,
  sizing: { worker: { cpu: 2, ram: '4GiB', disk: '20G' }, control_plane: { cpu: 2, ram: '4GiB', disk: '20G' } },
  proxmox: { target_nodes: hosts, datastore: 'local-lvm' },
  network: {
    cidr: '10.0.0.0/16',
    gateway: '10.0.0.1',
    control_plane_offset: 1000,
    worker_offset: 2000,
    pod_cidr: '10.128.0.0/9',
  },
  vm_ids: { control_plane: '2000-2999', worker: '3000-3999' },
}

const tokens = ['proxmox_ccm', 'proxmox_csi'].flatMap((addon) => [
  [`${addon}.token_id`, 'a@pve!b'],
  [`${addon}.token_secret`, 'made for the test'],
])
const secrets: SecretsFile = {
  bundle: aBundle(),
  memory: { bootstrapped: false, sealed: true, values: Object.fromEntries(tokens) },
  recipients: [`age1${'z'.repeat(58)}`],
}

/** An empty site where everything that a plan may ask for is there. */
function emptySite(): Observed {
  const world = aWorld(hosts)
  const hostRules = { state: 'none' as const, managers: [], members: [], addresses: [], hasRule: false }
  return {
    ...world,
    proxmox: {
      ...world.proxmox,
      storages: world.proxmox.storages.flatMap((storage) => [
        { ...storage, shared: true },
        { ...storage, shared: true, storage: 'other', content: ['images', 'iso', 'import', 'backup'] },
      ]),
      pciMappings: ['gpu', 'other-gpu'].map((id) => ({ id, hosts })),
      backupJobs: seen([]),
      ha: seen({ resources: [], groups: [], rules: [] }),
      firewall: seen({ isOn: false, groups: [], ipsets: [], hosts: { ...hostRules, foreign: [], unread: [] } }),
    },
  }
}

interface Site {
  readonly observed: Observed
  readonly file?: SecretsFile
}

/** Nothing yet; a cluster of an older Talos, whose worker has another size; and nothing, not even secrets. */
const sites: readonly Promise<Site>[] = [
  Promise.resolve({ observed: emptySite(), file: secrets }),
  standingSite(),
  Promise.resolve({ observed: { ...emptySite(), secrets: { present: false, bootstrapped: false, sealed: false } } }),
]

async function standingSite(): Promise<Site> {
  const standing = merged(common, { talos_version: 'v1.13.8', sizing: { worker: { cpu: 1 } } })
  const desire = await desireOf(standing, secrets)
  let observed = emptySite()
  for (let round = 0; round < 10; round++) {
    const desired = desire(observed)
    const steps = planRound(desired, observed, 1)
    if (steps.length === 0) return { observed, file: secrets }
    observed = carriedOut(steps, desired, observed)
  }
  throw new Error('the cluster is never made')
}

async function desireOf(document: Tree, file: SecretsFile | undefined) {
  const inventory = await inventoryOf(document)
  const world = { secrets: { find: async () => secrets, settleAddon: async () => {} } }
  const spec = await loadSpec(inventory, { env: { MINE: 'mine', OTHER: 'other' }, world })
  return (observed: Observed) => resolveDesired({ ...spec, secrets: file }, observed)
}

interface Outcome {
  readonly refusal?: string
  readonly steps?: readonly unknown[]
}

/** The identities of all steps, or why there are none. */
async function outcome(document: Tree, { observed, file }: Site): Promise<Outcome> {
  await inventoryOf(document)
  try {
    const desire = await desireOf(document, file)
    const { steps } = planRounds({ desire, planRound }, observed, plainDigest)
    return { steps: steps.map((step) => identityOf(step, plainDigest)) }
  } catch (thrown) {
    if (thrown instanceof UserFacingError) return { refusal: thrown.message }
    throw thrown
  }
}

const known = new Map<string, Promise<Outcome>>()

function knownOutcome(document: Tree, index: number, site: Site): Promise<Outcome> {
  const key = `${index} ${JSON.stringify(document)}`
  const found = known.get(key) ?? outcome(document, site)
  known.set(key, found)
  return found
}

export interface KeyChange {
  /** A step is another one, or the plan is refused. */
  readonly isInSteps: boolean
  /** What a plan file names that was made before. */
  readonly named: readonly string[]
  /** Where no plan came out before the change either. */
  readonly refusals: readonly string[]
}

/** What another value of this key changes. */
export async function changeOf(leaf: Leaf): Promise<KeyChange> {
  const base = around
    .filter(([path]) => path.test(leaf.path))
    .reduce((document, [, more]) => merged(document, { ...more }), withAddon(leaf.path))
  const changed = merged(base, treeOf(leaf.path, valueFor(leaf)))
  const [before, after] = await Promise.all([base, changed].map(digestsOf))
  const named = changedKeys(before ?? {}, after ?? {})
  const refusals: string[] = []
  for (const [index, site] of sites.entries()) {
    const { refusal, ...was } = await knownOutcome(base, index, await site)
    if (refusal !== undefined) refusals.push(refusal)
    else if (!isDeepStrictEqual(was, await outcome(changed, await site))) return { isInSteps: true, named, refusals }
  }
  return { isInSteps: false, named, refusals }
}

async function digestsOf(document: Tree) {
  return inventoryDigests(await inventoryOf(document), plainDigest, { isLab: false })
}

/** An option of an addon means something only where the addon is wanted. */
function withAddon(path: string): Tree {
  const [, addon] = /^addons\.(\w+)\./.exec(path) ?? []
  return addon === undefined || addon === 'registry' ? common : merged(common, { addons: { [addon]: {} } })
}

function valueFor({ path, schemas: [own] }: Leaf): unknown {
  const found = values.find(([pattern]) => pattern.test(path))?.[1]
  if (own?.type === 'boolean') return typeof found === 'boolean' ? found : own.default !== true
  if (own?.enum === undefined) return found ?? 'other'
  return own.enum.find((one) => one === found) ?? own.enum.find((one) => one !== own.default)
}

/** The names that stand for `*`. */
const names: readonly (readonly [RegExp, string])[] = [
  [/patches.*\[\]\[\]/, 'path'],
  [/patches/, 'machine'],
  [/^placement\.pinned/, 'dev-wk-1'],
  [/^(pve_capacity|reserve)/, 'pve1'],
]

function treeOf(path: string, value: unknown): Tree {
  const name = names.find(([pattern]) => pattern.test(path))?.[1] ?? 'name'
  const parts = path.split(/\.|(?=\[\])/)
  const tree = parts.reduceRight<unknown>((inner, part) => {
    if (part === '[]') return [inner]
    return { [part === '*' ? name : part]: inner }
  }, value)
  return tree as Tree
}

function merged(one: Tree, other: Tree): Tree {
  const entries = Object.entries(other).map(([key, value]) => [key, mergedValue(one[key], value)])
  return { ...one, ...Object.fromEntries(entries) }
}

function mergedValue(one: unknown, other: unknown): unknown {
  if (isTree(one) && isTree(other)) return merged(one, other)
  if (!Array.isArray(one) || !Array.isArray(other)) return other
  return other.map((item, index) => mergedValue(one[index], item))
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
