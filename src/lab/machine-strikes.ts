import type { Lab, SeenMachine } from '../simulator/index.js'
import { need, type Strike } from './strike.js'

type StrikeMachine = (lab: Lab, machine: SeenMachine, strike: Strike) => void | Promise<void>

/** Faults of one running machine, besides faults of single requests. */
export const machineStrikes = {
  hang: ({ talos }, { uuid }) => talos.hang(uuid),
  wake: ({ talos }, { uuid }) => talos.hang(uuid, false),
  'expire-certificate': ({ talos }, { uuid }) => talos.expireCertificate(uuid),
  'renew-certificate': ({ talos }, { uuid }) => talos.expireCertificate(uuid, false),
  'close-api': ({ talos }, { uuid }) => talos.closeApi(uuid),
  'open-api': ({ talos }, { uuid }) => talos.closeApi(uuid, false),
  'clock-ahead': ({ talos }, { uuid }, { ms }) => talos.clockSkew(uuid, ms),
  'clock-behind': ({ talos }, { uuid }, { ms }) => talos.clockSkew(uuid, -ms),
  'etcd-slow': ({ talos }, { uuid }, { ms }) => talos.slowEtcd(uuid, ms),
  'etcd-no-space': ({ talos }, { uuid }) => talos.etcdAlarm(uuid, 'nospace'),
  'etcd-corrupt': ({ talos }, { uuid }) => talos.corruptEtcd(uuid),
  'boot-old-slot': ({ talos }, { uuid }) => talos.bootOldSlot(uuid),
  wipe: ({ talos }, { uuid }) => talos.wipe(uuid),
  'move-lease': async ({ talos, network }, { uuid, nics }, strike) => {
    const [nic] = nics
    if (nic === undefined) throw new Error('The machine has no network card.')
    network.moveLease(nic.mac, nic.bridge, need(strike, 'address'))
    await talos.renewLeases(uuid)
  },
  'hold-vip': ({ network }, { addresses }, strike) => network.duplicate(need(strike, 'address'), addresses[0]),
  'internal-error': ({ proxmox }, { vmid }) => proxmox.trouble.internalError(vmid),
} satisfies Readonly<Record<string, StrikeMachine>>

/** Applies a fault to a machine, by VM or node name. */
export async function strikeMachine(lab: Lab, run: StrikeMachine, strike: Strike): Promise<void> {
  const name = need(strike, 'machine')
  const all = lab.talos.machines()
  const struck = all.find((machine) => machine.name === name || machine.hostname === name)
  if (struck === undefined) {
    const names = all.map((machine) => machine.name).join(', ')
    throw new Error(`No machine "${name}" has power in this lab; these have: ${names || 'none'}.`)
  }
  await run(lab, struck, strike)
}
