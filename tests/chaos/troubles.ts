import { setTimeout } from 'node:timers/promises'
import type { Trouble } from './action.js'
import type { Book } from './book.js'
import { expectKilledTasks } from './by-hand.js'
import { clusterVms, nameOf, stateOf } from './lab-state.js'
import { clusterName } from './shape.js'

type Striking = (book: Book, target: number) => Promise<string> | string

/** What each of them does; how it ends goes into the book. */
const strikings: Readonly<Record<Trouble['what'], Striking>> = {
  'host-offline': strikeHost(({ setHostOnline }, host, isStruck) => setHostOnline(host, !isStruck)),
  'hang-api': strikeHost(({ trouble }, host, isStruck) => trouble.hangApi(host, isStruck)),
  'slow-storage': strikeHost(({ trouble }, host, isStruck) =>
    trouble.slowStorage(host, 'local-lvm', isStruck ? 30 : 1),
  ),
  'read-only-storage': strikeHost(({ trouble }, host, isStruck) =>
    trouble.readOnlyStorage(host, host.length % 2 === 0 ? 'local' : 'local-lvm', isStruck),
  ),
  'cut-host': strikeHost(({ trouble, endpoints }, host, isStruck) =>
    trouble.cutHosts(
      [host],
      Object.keys(endpoints).filter((name) => name !== host),
      isStruck,
    ),
  ),
  'late-cluster-files': strikeHost(({ trouble }, host, isStruck) => trouble.lagClusterFiles(host, isStruck ? 5000 : 0)),
  'late-statistics': strikeHost(({ trouble }, _host, isStruck) => trouble.lagStatistics(isStruck ? 15_000 : 5000)),
  'revoked-token': strikeHost(({ trouble, tokenId }, _host, isStruck) => trouble.revokeToken(tokenId, isStruck)),
  'narrowed-token': strikeHost(({ trouble, tokenId }, _host, isStruck) =>
    trouble.narrowToken(tokenId, isStruck ? ['VM.Config.Disk', 'VM.PowerMgmt'] : []),
  ),
  'power-cut': strikeHost(({ cutPower }, _host, isStruck) => cutPower(isStruck)),
  'failing-start': ({ site: { lab }, troubles }, target) => {
    const vm = ownVm(lab, target)
    lab.proxmox.trouble.failStarts(vm.vmid)
    troubles.push(() => lab.proxmox.trouble.failStarts(vm.vmid, false))
    return nameOf(vm)
  },
  'internal-error': ({ site: { lab }, hand, troubles }, target) => {
    const vm = ownVm(lab, target)
    lab.proxmox.trouble.internalError(vm.vmid)
    // Somebody sees it in the web interface and stops the VM.
    troubles.push(() => hand.work('POST', `/nodes/${vm.host}/qemu/${vm.vmid}/status/stop`))
    return nameOf(vm)
  },
  'etcd-no-space': ({ site, troubles }, target) => {
    const machine = ownMachine(site.lab, target)
    site.lab.talos.etcdAlarm(machine.uuid, 'nospace')
    // Somebody makes space and disarms it.
    troubles.push(() => site.lab.talos.etcdAlarm(machine.uuid, 'none'))
    return machine.name
  },
  'lose-quorum': ({ site: { lab }, troubles }) => {
    lab.proxmox.setQuorate(false)
    troubles.push(() => lab.proxmox.setQuorate(true))
    return 'the cluster'
  },
  'fill-storage': ({ site: { lab }, troubles }, target) => {
    const names = Object.keys(stateOf(lab).hosts)
    const host = names[target % names.length] ?? ''
    const storage = target % 2 === 0 ? 'local' : 'local-lvm'
    lab.proxmox.fillStorage(host, storage, 1_000_000)
    troubles.push(() => lab.proxmox.freeStorage(host, storage))
    return `${storage} on ${host}`
  },
  hang: strike((talos, uuid, isStruck) => talos.hang(uuid, isStruck)),
  'expire-certificate': strike((talos, uuid, isStruck) => talos.expireCertificate(uuid, isStruck)),
  'close-api': strike((talos, uuid, isStruck) => talos.closeApi(uuid, isStruck)),
  'clock-skew': strike((talos, uuid, isStruck) => talos.clockSkew(uuid, isStruck ? 3_600_000 : 0)),
  'etcd-slow': strike((talos, uuid, isStruck) => talos.slowEtcd(uuid, isStruck ? 2000 : 0)),
}

const ofProxmox: readonly Trouble['what'][] = [
  'host-offline',
  'lose-quorum',
  'power-cut',
  'hang-api',
  'cut-host',
  'late-cluster-files',
  'revoked-token',
  'narrowed-token',
]

export async function strikeTrouble(book: Book, { what, target }: Trouble): Promise<void> {
  if (ofProxmox.includes(what)) book.isProxmoxTroubled = true
  // Workers end with their host.
  if (what === 'power-cut') expectKilledTasks(book)
  try {
    const struck = await within(Promise.resolve(strikings[what](book, target)))
    book.log(`  trouble: ${what} of ${struck ?? 'a machine that does not notice'}`)
  } catch (thrown) {
    book.log(`  trouble: ${what} struck nothing: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

export async function calmDown(book: Book): Promise<void> {
  book.site.lab.faults.clear()
  book.isProxmoxTroubled = false
  for (const end of book.troubles.splice(0).reverse()) {
    // A machine that has no power any more has no trouble either.
    const ended = Promise.resolve()
      .then(end)
      .catch(() => undefined)
    await within(ended)
  }
}

/** A machine without a control plane never gets another certificate: waiting for it does not stop the sequence. */
function within<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, setTimeout(5000, undefined, { ref: false })])
}

function strike(
  strikeOne: (talos: Book['site']['lab']['talos'], uuid: string, isStruck: boolean) => void | Promise<void>,
): Striking {
  return async ({ site: { lab }, troubles }, target) => {
    const machine = ownMachine(lab, target)
    troubles.push(() => strikeOne(lab.talos, machine.uuid, false))
    await strikeOne(lab.talos, machine.uuid, true)
    return machine.name
  }
}

type Proxmox = Book['site']['lab']['proxmox']

function strikeHost(strikeOne: (proxmox: Proxmox, host: string, isStruck: boolean) => void | Promise<void>): Striking {
  return async ({ site: { lab }, troubles }, target) => {
    const names = Object.keys(lab.proxmox.endpoints)
    const host = names[target % names.length] ?? ''
    await strikeOne(lab.proxmox, host, true)
    troubles.push(() => strikeOne(lab.proxmox, host, false))
    return host
  }
}

function ownMachine(lab: Book['site']['lab'], target: number) {
  const machines = lab.talos.machines().filter(({ name }) => name.startsWith(`${clusterName}-`))
  const machine = machines[target % Math.max(1, machines.length)]
  if (machine === undefined) throw new Error('no machine has power')
  return machine
}

function ownVm(lab: Book['site']['lab'], target: number) {
  const vms = clusterVms(stateOf(lab))
  const vm = vms[target % Math.max(1, vms.length)]
  if (vm === undefined) throw new Error('there is no VM')
  return vm
}
