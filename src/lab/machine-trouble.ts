import type { TalosGuests } from '../simulator/index.js'

export const machineTroubles = [
  'hang',
  'wake',
  'expire-certificate',
  'renew-certificate',
  'close-api',
  'open-api',
  'clock-ahead',
  'clock-behind',
  'etcd-slow',
  'etcd-no-space',
  'boot-old-slot',
] as const

/** What can happen to one machine of a lab, beside faults of single requests. */
export interface MachineTrouble {
  readonly kind: (typeof machineTroubles)[number]
  /** How wrong the clock is, or how slow etcd. */
  readonly ms: number
}

type Strike = (talos: TalosGuests, uuid: string, ms: number) => void | Promise<void>

const strikes: Readonly<Record<MachineTrouble['kind'], Strike>> = {
  hang: (talos, uuid) => talos.hang(uuid),
  wake: (talos, uuid) => talos.hang(uuid, false),
  'expire-certificate': (talos, uuid) => talos.expireCertificate(uuid),
  'renew-certificate': (talos, uuid) => talos.expireCertificate(uuid, false),
  'close-api': (talos, uuid) => talos.closeApi(uuid),
  'open-api': (talos, uuid) => talos.closeApi(uuid, false),
  'clock-ahead': (talos, uuid, ms) => talos.clockSkew(uuid, ms),
  'clock-behind': (talos, uuid, ms) => talos.clockSkew(uuid, -ms),
  'etcd-slow': (talos, uuid, ms) => talos.slowEtcd(uuid, ms),
  'etcd-no-space': (talos, uuid) => talos.etcdAlarm(uuid, 'nospace'),
  'boot-old-slot': (talos, uuid) => talos.bootOldSlot(uuid),
}

/** Strikes a machine, named as its VM or as its node. */
export async function troubleMachine(talos: TalosGuests, machine: string, { kind, ms }: MachineTrouble): Promise<void> {
  const all = talos.machines()
  const struck = all.find(({ name, hostname }) => name === machine || hostname === machine)
  if (struck === undefined) {
    const names = all.map(({ name }) => name).join(', ')
    throw new Error(`No machine "${machine}" has power in this lab; these have: ${names || 'none'}.`)
  }
  await strikes[kind](talos, struck.uuid, ms)
}
