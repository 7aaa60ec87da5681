import { ifSeen } from '../../cluster/seen.js'
import type { ClockReading, ExaminedTime } from '../../examine/examined.js'
import { secondsText, skewLimits, skewOf } from '../clock-skew.js'
import { defineFinding } from '../define-finding.js'
import { severityAt } from '../threshold.js'

/** Compared with its time server, and with the host that it runs on. */
export const nodeClock = defineFinding({
  code: 'ICH0401',
  name: 'The clock of a node is wrong',
  severity: 'warns',
  needs: ['examined.machines', 'examined.hosts'],
  *find({ observed, examined }) {
    for (const { name, time } of examined?.machines ?? []) {
      const read = ifSeen(time)
      if (read === undefined) continue
      const host = observed.machines.find((one) => one.name === name)?.host
      const hostClock = ifSeen(examined?.hosts.find((one) => one.name === host)?.clock)
      const skew = Math.max(fromServer(read), fromHost(read, hostClock))
      const severity = severityAt(skew, skewLimits)
      const isUnsynced = !read.isSynced && !read.isDisabled
      if (severity === undefined && !isUnsynced) continue
      yield {
        severity: severity ?? 'warns',
        subject: { kind: 'machine', name },
        title:
          severity === undefined
            ? `${name} does not get its time from a server.`
            : `The clock of ${name} is ${secondsText(skew)} wrong.`,
        detail: read.isDisabled
          ? 'Time synchronization is turned off. Certificates are refused before they are valid, and etcd loses its leader.'
          : 'Certificates are refused before they are valid, and etcd loses its leader.',
        cure: {
          text: 'Set network.ntp to a server that the node reaches (UDP port 123), and correct the clock of its host.',
        },
      }
    }
  },
})

function fromServer({ clock }: ExaminedTime): number {
  return clock === undefined ? 0 : Math.abs(clock.node - clock.server)
}

function fromHost({ clock }: ExaminedTime, host: ClockReading | undefined): number {
  if (clock === undefined || host === undefined) return 0
  const { offsetMs, uncertaintyMs } = clock.reference
  return skewOf({ offsetMs: offsetMs + clock.node - clock.server, uncertaintyMs }, host)
}
