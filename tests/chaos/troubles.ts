import type { Trouble } from './action.js'
import type { Book } from './book.js'
import { stateOf } from './lab-state.js'

type Striking = (book: Book, target: number) => Promise<string> | string

/** What each of them does; how it ends goes into the book. */
const strikings: Readonly<Record<Trouble['what'], Striking>> = {
  'host-offline': async ({ site: { lab }, troubles }, target) => {
    const names = Object.keys(stateOf(lab).hosts)
    const host = names[target % names.length] ?? ''
    await lab.proxmox.setHostOnline(host, false)
    troubles.push(() => lab.proxmox.setHostOnline(host, true))
    return host
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

export async function strikeTrouble(book: Book, { what, target }: Trouble): Promise<void> {
  try {
    book.log(`  trouble: ${what} of ${await strikings[what](book, target)}`)
  } catch (thrown) {
    book.log(`  trouble: ${what} struck nothing: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

export async function calmDown(book: Book): Promise<void> {
  book.site.lab.faults.clear()
  for (const end of book.troubles.splice(0).reverse()) {
    // A machine that has no power any more has no trouble either.
    await Promise.resolve()
      .then(end)
      .catch(() => undefined)
  }
}

function strike(
  strikeOne: (talos: Book['site']['lab']['talos'], uuid: string, isStruck: boolean) => void | Promise<void>,
): Striking {
  return async ({ site: { lab }, troubles }, target) => {
    const machines = lab.talos.machines()
    const machine = machines[target % Math.max(1, machines.length)]
    if (machine === undefined) throw new Error('no machine has power')
    await strikeOne(lab.talos, machine.uuid, true)
    troubles.push(() => strikeOne(lab.talos, machine.uuid, false))
    return machine.name
  }
}
