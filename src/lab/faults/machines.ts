import type { Lab, SeenMachine } from '../../simulator/index.js'
import {
  defineEnd,
  defineFault,
  type FaultDefinition,
  type FaultOption,
  type FaultOptions,
  type FaultOrder,
} from './define-fault.js'

const defaultMs = 5000

/** The running machine of that VM or node name. */
export function getMachine({ talos }: Lab, name: string): SeenMachine {
  const all = talos.machines()
  const found = all.find((machine) => machine.name === name || machine.hostname === name)
  if (found !== undefined) return found
  const names = all.map((machine) => machine.name).join(', ')
  throw new Error(`No machine "${name}" has power in this lab; these have: ${names || 'none'}.`)
}

type OnMachine = (lab: Lab, machine: SeenMachine, options: FaultOptions) => void | Promise<void>

interface MachineFault extends Pick<FaultDefinition, 'name' | 'effect' | 'end'> {
  readonly takes?: readonly FaultOption[]
  run: OnMachine
}

function defineMachineFault({ run, ...fault }: MachineFault): FaultDefinition {
  return defineFault({
    ...fault,
    subject: 'machine',
    needs: ['machine'],
    run: (lab, options) => run(lab, getMachine(lab, options.machine), options),
  })
}

function machineEnd(name: string, run: OnMachine): FaultOrder {
  return defineEnd({
    name,
    needs: ['machine'],
    run: (lab, options) => run(lab, getMachine(lab, options.machine), options),
  })
}

export const hang = defineMachineFault({
  name: 'hang',
  effect: 'it accepts connections but never responds; its etcd and kubelet are frozen',
  run: ({ talos }, { uuid }) => talos.hang(uuid),
  end: machineEnd('wake', ({ talos }, { uuid }) => talos.hang(uuid, false)),
})

export const expireCertificate = defineMachineFault({
  name: 'expire-certificate',
  effect: 'its API presents an expired certificate',
  run: ({ talos }, { uuid }) => talos.expireCertificate(uuid),
  end: machineEnd('renew-certificate', ({ talos }, { uuid }) => talos.expireCertificate(uuid, false)),
})

export const closeApi = defineMachineFault({
  name: 'close-api',
  effect: 'its API is closed, as in the seconds of a boot',
  run: ({ talos }, { uuid }) => talos.closeApi(uuid),
  end: machineEnd('open-api', ({ talos }, { uuid }) => talos.closeApi(uuid, false)),
})

export const clockAhead = defineMachineFault({
  name: 'clock-ahead',
  effect: 'its clock jumps ahead by `--ms`',
  takes: ['ms'],
  end: '`--ms 0`',
  run: ({ talos }, { uuid }, { ms = defaultMs }) => talos.clockSkew(uuid, ms),
})

export const clockBehind = defineMachineFault({
  name: 'clock-behind',
  effect: 'its clock jumps back by `--ms`',
  takes: ['ms'],
  end: '`--ms 0`',
  run: ({ talos }, { uuid }, { ms = defaultMs }) => talos.clockSkew(uuid, -ms),
})

export const etcdSlow = defineMachineFault({
  name: 'etcd-slow',
  effect: 'every etcd call through it takes `--ms` longer',
  takes: ['ms'],
  end: '`--ms 0`',
  run: ({ talos }, { uuid }, { ms = defaultMs }) => talos.slowEtcd(uuid, ms),
})

export const etcdNoSpace = defineMachineFault({
  name: 'etcd-no-space',
  effect: 'its etcd raises the alarm',
  end: 'the alarm is disarmed',
  run: ({ talos }, { uuid }) => talos.etcdAlarm(uuid, 'nospace'),
})

export const etcdCorrupt = defineMachineFault({
  name: 'etcd-corrupt',
  effect: 'its etcd exits whenever Talos starts it; the member remains in the list, also after a graceful reset',
  end: 'its data is wiped',
  run: ({ talos }, { uuid }) => talos.corruptEtcd(uuid),
})

export const bootOldSlot = defineMachineFault({
  name: 'boot-old-slot',
  effect: 'its boot loader uses the old slot at the next boot',
  end: 'that boot',
  run: ({ talos }, { uuid }) => talos.bootOldSlot(uuid),
})

export const wipe = defineMachineFault({
  name: 'wipe',
  effect: 'its disks are wiped and it restarts: nothing boots',
  end: 'it is installed again',
  run: ({ talos }, { uuid }) => talos.wipe(uuid),
})

export const internalError = defineMachineFault({
  name: 'internal-error',
  effect: 'QEMU stops its CPUs: Proxmox reports `running`, with `qmpstatus: internal-error`',
  end: 'the VM is stopped',
  run: ({ proxmox }, { vmid }) => proxmox.trouble.internalError(vmid),
})
