import { systemClock } from '../../src/clock.js'
import type { Dialer } from '../../src/reach/dialer.js'
import { createDirectDialer } from '../../src/reach/direct.js'
import { connectTalos } from '../../src/talos/api/connect.js'
import type { Subject } from './subject.js'
import type { VirtualMachine } from './virtual-machine.js'

/** ichor's own Talos client; the address of the guest is reached through the port that QEMU forwards. */
export function clientOf({ machine, address, credentials }: Subject, { port }: Pick<VirtualMachine, 'port'>) {
  const direct = createDirectDialer()
  const dialer: Dialer = {
    dial: (_, signal) => direct.dial({ host: '127.0.0.1', port }, signal),
    close: () => direct.close(),
  }
  const talos = connectTalos({ dialer, clock: systemClock, credentials: async () => credentials })
  const target = { machine: machine.name, address }
  return {
    node: talos.node(target),
    maintenance: talos.maintenance(target),
    close: () => talos.close(),
  }
}
