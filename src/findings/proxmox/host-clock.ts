import { ifSeen } from '../../cluster/seen.js'
import type { ClockReading } from '../../examine/examined.js'
import { secondsText, skewLimits, skewOf } from '../clock-skew.js'
import { defineFinding } from '../define-finding.js'
import { severityAt } from '../threshold.js'

/** Of two hosts it does not show which one is wrong. */
export const hostClock = defineFinding({
  code: 'ICH0208',
  name: 'The clock of a host is wrong',
  severity: 'warns',
  needs: ['examined.hosts'],
  *find({ examined }) {
    const read = (examined?.hosts ?? []).flatMap(({ name, clock }) => {
      const reading = ifSeen(clock)
      return reading === undefined ? [] : [{ name, reading }]
    })
    const middle = middleOf(read.map(({ reading }) => reading))
    if (middle === undefined) return
    for (const { name, reading } of read) {
      const skew = skewOf(reading, middle)
      const severity = severityAt(skew, skewLimits)
      if (severity === undefined) continue
      yield {
        severity,
        subject: { kind: 'host', name },
        title: `The clock of host ${name} is ${secondsText(skew)} away from the other hosts.`,
        detail:
          'New machines start with this time. Certificates are refused before they are valid, and corosync may lose members.',
        cure: { text: `Look at chrony on ${name}: chronyc tracking` },
      }
    }
  },
})

function middleOf(readings: readonly ClockReading[]): ClockReading | undefined {
  const sorted = readings.toSorted((one, other) => one.offsetMs - other.offsetMs)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}
