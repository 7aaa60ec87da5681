import { connect } from '../../src/connect.js'
import { loadInventory } from '../../src/inventory/index.js'
import type { World } from '../../src/world.js'
import type { HandAction } from './action.js'
import type { Book } from './book.js'
import { Broken } from './broken.js'
import { forgetUse } from './keys.js'
import { clusterVms, nameOf, type SeenVm, stateOf } from './lab-state.js'
import { clusterName, drillName } from './shape.js'
import type { Site } from './site.js'

type Doing = (book: Book, vm: SeenVm) => Promise<void>

const at = ({ host, vmid }: SeenVm) => `/nodes/${host}/qemu/${vmid}`
const isControlPlane = (vm: SeenVm) => nameOf(vm).startsWith(`${clusterName}-cp-`)

/** What each of them does, with the refusal that is right afterwards. Without one, ichor must cope by itself. */
const doings: Readonly<Record<HandAction['what'], Doing>> = {
  stop: ({ hand }, vm) => hand.work('POST', `${at(vm)}/status/stop`),
  start: ({ hand }, vm) => hand.work('POST', `${at(vm)}/status/start`),
  reset: ({ hand }, vm) => hand.work('POST', `${at(vm)}/status/reset`),
  delete: async (book, vm) => {
    const { hand } = book
    await hand.work('POST', `${at(vm)}/status/stop`)
    await hand.work('DELETE', `${at(vm)}?purge=1`)
    if (!isControlPlane(vm)) return
    expectLostMajority(book, 'the hand deleted control planes until etcd had no majority')
  },
  clone: async ({ site, hand, madeByHand, excuses }, vm) => {
    const newid = 7000 + madeByHand.size
    madeByHand.add(newid)
    try {
      await hand.work('POST', `${at(vm)}/clone`, { newid, name: `copy-of-${nameOf(vm)}`, full: 1 })
    } finally {
      if (stateOf(site.lab).vms[String(newid)] === undefined) madeByHand.delete(newid)
    }
    if (!madeByHand.has(newid)) return
    excuses.push({
      because: `the hand cloned ${nameOf(vm)}`,
      pattern: new RegExp(`VM ${newid}\\b`),
      heal: async () => {
        await hand.work('DELETE', `/nodes/${vm.host}/qemu/${newid}?purge=1`)
        madeByHand.delete(newid)
      },
    })
  },
  migrate: async ({ site, hand }, vm) => {
    const target = Object.values(stateOf(site.lab).hosts).find(({ name, online }) => online && name !== vm.host)
    if (target === undefined) return
    const online: Record<string, number> = vm.running ? { online: 1 } : {}
    await hand.work('POST', `${at(vm)}/migrate`, { target: target.name, 'with-local-disks': 1, ...online })
  },
  retag: ({ hand }, vm) => hand.call('PUT', `${at(vm)}/config`, { tags: 'mine' }).then(() => undefined),
  unmark: (book, vm) => rewrite(book, vm, 'description', 'some notes of mine'),
  remark: (book, vm) =>
    rewrite(book, vm, 'description', (vm.config.description ?? '').replace(/vmid: \d+/, 'vmid: 4242')),
  rename: ({ hand }, vm) => hand.call('PUT', `${at(vm)}/config`, { name: 'renamed' }).then(() => undefined),
  unpool: async ({ site, hand, excuses }, vm) => {
    const pool = Object.values(stateOf(site.lab).pools).find(({ vms }) => vms.includes(vm.vmid))
    if (pool === undefined) return
    await hand.call('PUT', '/pools', { poolid: pool.poolid, vms: vm.vmid, delete: 1 })
    excuses.push({
      because: `the hand took ${nameOf(vm)} out of its pool`,
      pattern: /pool/,
      heal: async () => void (await hand.call('PUT', '/pools', { poolid: pool.poolid, vms: vm.vmid })),
    })
  },
  'resize-memory': ({ hand }, vm) => hand.call('PUT', `${at(vm)}/config`, { memory: 3072 }).then(() => undefined),
  protect: async ({ site, hand, excuses }, vm) => {
    await hand.call('PUT', `${at(vm)}/config`, { protection: 1 })
    excuses.push({
      because: `the hand protected ${nameOf(vm)}`,
      pattern: /protect/,
      heal: async () => {
        const now = stateOf(site.lab).vms[String(vm.vmid)]
        if (now !== undefined) await hand.call('PUT', `${at(now)}/config`, { protection: 0 })
      },
    })
  },
  'insert-iso': async ({ hand }, vm) => {
    await hand.call('PUT', `${at(vm)}/config`, { ide2: 'none,media=cdrom' })
  },
  'delete-node': ({ site }, vm) =>
    inKubernetes(site, async (world, address) => {
      await world.kubernetes.at([{ host: address, port: 6443 }]).deleteNode(nameOf(vm), soon())
    }),
  'keep-secret': ({ site, keys }) =>
    inKubernetes(site, async (world, address) => {
      const name = `kept-${keys.kept.size + 1}`
      const secret = { ...secretKind, metadata: { name, namespace: 'default' }, data: { word: 'a2VwdA==' } }
      const api = world.kubernetes.at([{ host: address, port: 6443 }])
      await api.apply([secret], { fieldManager: 'somebody', force: true }, soon())
      keys.kept.add(name)
    }),
  cordon: async ({ site, excuses }, vm) => {
    await inKubernetes(site, async (world, address) => {
      const api = world.kubernetes.at([{ host: address, port: 6443 }])
      await api.apply([cordonOf(nameOf(vm), true)], { fieldManager: 'somebody', force: true }, soon())
    })
    excuses.push({
      because: `the hand cordoned ${nameOf(vm)}`,
      pattern: /is cordoned/,
      code: 1,
      heal: () =>
        inKubernetes(site, async (world, address) => {
          const api = world.kubernetes.at([{ host: address, port: 6443 }])
          await api.apply([cordonOf(nameOf(vm), false)], { fieldManager: 'somebody', force: true }, soon())
        }),
    })
  },
}

const cordonOf = (name: string, unschedulable: boolean) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: { unschedulable },
})
/** Everything that only the key of the Secrets opens is there, and every API server opens it. */
export async function judgeReadable({ site, keys }: Book): Promise<void> {
  const controlPlanes = site.lab.talos.machines().filter(({ name }) => name.startsWith(`${clusterName}-cp-`))
  for (const { name, addresses } of controlPlanes)
    await inKubernetes(site, async (world) => {
      const api = world.kubernetes.at([{ host: addresses[0]?.split('/')[0] ?? '', port: 6443 }])
      const found = await api.list(secretKind, undefined, {}, soon()).catch((thrown: Error) => {
        throw new Broken('unreadable', `${name} cannot read the Secrets: ${thrown.message}`)
      })
      const names = new Set(found.map(({ metadata }) => metadata.name))
      const lost = [...keys.kept].filter((one) => !names.has(one))
      if (lost.length > 0) throw new Broken('unreadable', `${name} has lost the Secrets ${lost.join(', ')}`)
    })
}

const secretKind = { apiVersion: 'v1', kind: 'Secret' }

/** Whoever had cordoned them finds them so again after a restore. */
export function uncordonAll({ site }: Book): Promise<void> {
  return inKubernetes(site, async (world, address) => {
    const api = world.kubernetes.at([{ host: address, port: 6443 }])
    const nodes = await api.nodes(soon())
    const open = nodes.map(({ name }) => cordonOf(name, false))
    await api.apply(open, { fieldManager: 'somebody', force: true }, soon())
  })
}

/** Somebody gives up what was in etcd, once no majority can come back. */
export function expectLostMajority(book: Book, because: string): void {
  book.excuses.push({
    because,
    pattern: /had an etcd before|lost its majority|no majority/,
    isValid: () => isMajorityLost(book),
    heal: async () => {
      book.newEtcd = true
      book.lives++
      forgetUse(book.keys)
    },
  })
}

/** A worker that is killed leaves the lock of its VM, which only root can remove. */
export function expectKilledTasks(book: Book): void {
  book.wereTasksKilled = true
  book.excuses.push({
    because: 'a worker was killed, and left the lock of its VM',
    pattern: /is locked by a/,
    heal: async () => {
      const locked = clusterVms(stateOf(book.site.lab)).filter(({ config }) => config.lock !== undefined)
      for (const vm of locked) await book.hand.call('PUT', `${at(vm)}/config`, { delete: 'lock', skiplock: 1 })
    },
  })
}

const soon = () => AbortSignal.timeout(5000)

/** A hand is refused as ichor is (a host is away, a VM is locked): then nothing happened. */
export async function actByHand(book: Book, { what, target }: HandAction): Promise<void> {
  const vms = clusterVms(stateOf(book.site.lab))
  const vm = vms[target % Math.max(1, vms.length)]
  if (vm === undefined) return book.log(`  hand: nothing to ${what}`)
  try {
    await doings[what](book, vm)
    book.log(`  hand: ${what} ${nameOf(vm)} (${vm.vmid} on ${vm.host})`)
  } catch (thrown) {
    book.log(`  hand: ${what} ${nameOf(vm)} was refused: ${thrown instanceof Error ? thrown.message.trim() : thrown}`)
  }
}

/** Changes what proves whose the VM is; the person who did it can put it back. */
async function rewrite({ site, hand, excuses, disowned }: Book, vm: SeenVm, key: string, value: string): Promise<void> {
  const before = vm.config[key] ?? ''
  if (before === value) return
  await hand.call('PUT', `${at(vm)}/config`, { [key]: value })
  disowned.add(vm.vmid)
  excuses.push({
    because: `the hand changed the ${key} of ${nameOf(vm)}`,
    pattern: new RegExp(`\\b${vm.vmid}\\b`),
    heal: async ({ words }) => {
      const now = stateOf(site.lab).vms[String(vm.vmid)]
      const isMadeAgain = clusterVms(stateOf(site.lab)).some(
        (other) => other.vmid !== vm.vmid && nameOf(other) === nameOf(vm),
      )
      if (now !== undefined && (isMadeAgain || words[0] === 'destroy')) await hand.work('DELETE', `${at(now)}?purge=1`)
      else if (now !== undefined) await hand.call('PUT', `${at(now)}/config`, { [key]: before })
      disowned.delete(vm.vmid)
    },
  })
}

/** Voters whose VM is gone do not come back, whatever has been created in their place. */
function isMajorityLost({ site }: Book): boolean {
  const voters = new Map<string, string>()
  const held = new Set(site.lab.talos.machines().map(({ uuid }) => uuid))
  for (const { event, detail, subject } of site.lab.ledger.entries()) {
    const member = String(detail?.member ?? '')
    if (subject === drillName) continue
    if (event === 'etcd.bootstrapped') voters.clear()
    if (event === 'etcd.bootstrapped' || event === 'etcd.member-promoted') voters.set(member, String(detail?.vmid))
    if (event === 'etcd.member-left' || event === 'etcd.member-removed') voters.delete(member)
  }
  const vmids = new Set(clusterVms(stateOf(site.lab)).map(({ vmid }) => String(vmid)))
  const alive = [...voters.values()].filter((vmid) => vmids.has(vmid)).length
  return held.size === 0 || alive <= voters.size / 2 || voters.size <= 1
}

async function inKubernetes(site: Site, work: (world: World, address: string) => Promise<void>): Promise<void> {
  const address = site.lab.talos
    .machines()
    .find(({ hostname, isReady }) => isReady && hostname.includes('-cp-'))
    ?.addresses[0]?.split('/')[0]
  if (address === undefined) throw new Error('no control plane is ready')
  const { proxmox, socks, factoryUrl, clock } = site.lab
  const { endpoint, tokenId, tokenSecret, fingerprint } = proxmox
  const { world, close } = await connect(await loadInventory(site.folder, { env: {} }), {
    env: site.env,
    notify: () => {},
    lab: { endpoint, tokenId, tokenSecret, fingerprint, socks, factory: factoryUrl, speed: clock.speed },
  })
  try {
    await work(world, address)
  } finally {
    await close()
  }
}
