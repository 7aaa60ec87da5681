import { setTimeout } from 'node:timers/promises'
import type { FaultOptions, FaultOrder } from '../../src/lab/faults/define-fault.js'
import { faultDefinitions } from '../../src/lab/faults/index.js'
import type { Trouble } from './action.js'
import type { Book } from './book.js'
import { expectKilledTasks, expectLostMajority } from './by-hand.js'
import { ichor } from './ichor.js'
import { clusterVms, nameOf, stateOf } from './lab-state.js'
import { clusterName } from './shape.js'

type SimLab = Book['site']['lab']

/** A fault, aimed at the nth host, machine or VM. */
interface Aimed {
  readonly subject: string
  readonly options: FaultOptions
  /** The options that end it, where the same fault ends itself. */
  readonly calm?: FaultOptions
  /** What somebody does about it, where nothing of the lab ends it. */
  readonly end?: (book: Book) => unknown
}

type Aim = (lab: SimLab, target: number) => Aimed

/** The faults that befall a sequence, and what each of them is given. */
const aims: Readonly<Record<Trouble['what'], Aim>> = {
  'host-offline': atHost(),
  'lose-quorum': atCluster(),
  'fill-storage': (lab, target) => atStorage(lab, target, target % 2 === 0 ? 'local' : 'local-lvm'),
  hang: atMachine(),
  'expire-certificate': atMachine(),
  'close-api': atMachine(),
  'clock-ahead': atMachine({ ms: 3_600_000 }, { ms: 0 }),
  'etcd-slow': atMachine({ ms: 2000 }, { ms: 0 }),
  'etcd-no-space': (lab, target) => {
    const { name, uuid } = ownMachine(lab, target)
    // Somebody makes space and disarms it.
    return { subject: name, options: { machine: name }, end: () => lab.talos.etcdAlarm(uuid, 'none') }
  },
  'power-cut': atCluster(),
  'hang-api': atHost(),
  'lag-statistics': atCluster({ ms: 15_000 }, { ms: 5000 }),
  'fail-start': (lab, target) => {
    const vm = ownVm(lab, target)
    return { subject: nameOf(vm), options: { vmid: vm.vmid } }
  },
  'internal-error': (lab, target) => {
    const vm = ownVm(lab, target)
    const { host, vmid } = vm
    // Somebody sees it in the web interface and stops the VM.
    const end = ({ hand }: Book) => hand.work('POST', `/nodes/${host}/qemu/${vmid}/status/stop`)
    return { subject: nameOf(vm), options: { machine: nameOf(vm) }, end }
  },
  'slow-storage': (lab, target) => ({
    ...atStorage(lab, target, 'local-lvm', { factor: 30 }),
    calm: { factor: 1 },
  }),
  'read-only-storage': (lab, target) =>
    atStorage(lab, target, hostAt(lab, target).length % 2 === 0 ? 'local' : 'local-lvm'),
  cut: (lab, target) => {
    const host = hostAt(lab, target)
    const others = Object.keys(lab.proxmox.endpoints).filter((name) => name !== host)
    return { subject: host, options: { from: [host], to: others } }
  },
  'lag-files': atHost({ ms: 5000 }, { ms: 0 }),
  'revoke-token': atCluster(),
  'etcd-corrupt': atMachine(),
  'clock-behind': atMachine({ ms: 3_600_000 }, { ms: 0 }),
  'narrow-token': atCluster({ privileges: ['VM.Config.Disk', 'VM.PowerMgmt'] }),
}

const ofProxmox: readonly Trouble['what'][] = [
  'host-offline',
  'lose-quorum',
  'power-cut',
  'hang-api',
  'cut',
  'lag-files',
  'revoke-token',
  'narrow-token',
]

export async function makeTrouble(book: Book, trouble: Trouble): Promise<void> {
  const { what } = trouble
  if (ofProxmox.includes(what)) book.isProxmoxTroubled = true
  // Workers end with their host.
  if (what === 'power-cut') expectKilledTasks(book)
  if (what === 'etcd-corrupt') expectCorruptMember(book)
  try {
    const subject = await within(startFault(book, trouble))
    book.log(`  trouble: ${what} of ${subject ?? 'a machine that does not notice'}`)
  } catch (thrown) {
    book.log(`  trouble: ${what} of nothing: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

/** Its data does not come back: somebody does what ichor says, wherever it says it. */
function expectCorruptMember(book: Book): void {
  expectLostMajority(book, 'the data of too many members is corrupt')
  for (const code of [1, 3])
    book.excuses.push({
      because: 'the data of a member is corrupt',
      pattern: sickMembers,
      code,
      heal: async ({ stderr }) => {
        const names = sickMembers.exec(stderr)?.[1] ?? ''
        book.runs.push(await ichor(book.site, ['replace', ...names.trim().split(' '), '--yes', '--delete-data']))
      },
    })
}

const sickMembers = /(?:^fix +|Fix: )ichor replace ((?:dev-cp-\d+ ?)+)/m

/** It never comes back as it was, and root has made Proxmox forget its machines. */
export async function loseHost(book: Book, host: string | undefined): Promise<void> {
  if (host === undefined) return
  const { lab } = book.site
  const lost = clusterVms(stateOf(lab)).filter((vm) => vm.host === host)
  await makeTrouble(book, { what: 'host-offline', target: Object.keys(lab.proxmox.endpoints).indexOf(host) })
  for (const { vmid } of lost) lab.proxmox.trouble.removeVmFile(vmid)
  book.lostHosts.add(host)
  expectLostMajority(book, `too many control planes were lost with ${host}`)
}

async function startFault(book: Book, { what, target }: Trouble): Promise<string> {
  const { lab } = book.site
  const fault = faultDefinitions.find(({ name }) => name === what)
  if (fault === undefined) throw new Error(`the lab has no fault ${what}`)
  const { subject, options, calm, end } = aims[what](lab, target)
  const ending = typeof fault.end === 'string' ? fault : fault.end
  // Before it starts: a machine that hangs may never say that it does.
  if (ending !== fault || calm !== undefined) book.troubles.push(() => order(lab, ending, { ...options, ...calm }))
  await fault.run(lab, options)
  if (end !== undefined) book.troubles.push(async () => void (await end(book)))
  return subject
}

/** With those of the options that it knows. */
async function order(lab: SimLab, { needs, takes, run }: FaultOrder, options: FaultOptions): Promise<void> {
  const known: readonly string[] = [...needs, ...takes]
  await run(lab, Object.fromEntries(Object.entries(options).filter(([name]) => known.includes(name))))
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

function atMachine(more: FaultOptions = {}, calm?: FaultOptions): Aim {
  return (lab, target) => {
    const { name } = ownMachine(lab, target)
    return { subject: name, options: { machine: name, ...more }, ...(calm === undefined ? {} : { calm }) }
  }
}

function atHost(more: FaultOptions = {}, calm?: FaultOptions): Aim {
  return (lab, target) => {
    const host = hostAt(lab, target)
    return { subject: host, options: { host, ...more }, ...(calm === undefined ? {} : { calm }) }
  }
}

function atCluster(options: FaultOptions = {}, calm?: FaultOptions): Aim {
  return () => ({ subject: 'the cluster', options, ...(calm === undefined ? {} : { calm }) })
}

function atStorage(lab: SimLab, target: number, id: string, more: FaultOptions = {}): Aimed {
  const storage = `${hostAt(lab, target)}/${id}`
  return { subject: storage, options: { storage, ...more } }
}

function hostAt({ proxmox }: SimLab, target: number): string {
  const names = Object.keys(proxmox.endpoints)
  return names[target % names.length] ?? ''
}

function ownMachine(lab: SimLab, target: number) {
  const machines = lab.talos.machines().filter(({ name }) => name.startsWith(`${clusterName}-`))
  const machine = machines[target % Math.max(1, machines.length)]
  if (machine === undefined) throw new Error('no machine has power')
  return machine
}

function ownVm(lab: SimLab, target: number) {
  const vms = clusterVms(stateOf(lab))
  const vm = vms[target % Math.max(1, vms.length)]
  if (vm === undefined) throw new Error('there is no VM')
  return vm
}
