import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const alarm = defineFinding({
  code: 'ICH0502',
  name: 'etcd has raised an alarm',
  severity: 'blocks',
  needs: ['etcd', 'alarms'],
  *find({ observed, alarms }) {
    const etcd = ifSeen(observed.etcd)
    for (const raised of ifSeen(alarms) ?? []) {
      const hostname = etcd?.members.find(({ id }) => id === raised.member)?.hostname
      const name = etcd?.owners[raised.member] ?? hostname ?? raised.member
      yield raised.alarm === 'nospace'
        ? {
            subject: { kind: 'member', name },
            title: `etcd accepts no writes: the database of ${name} has reached its limit.`,
            detail:
              'Kubernetes can be read and not changed. Unused pages have to be given back, and the alarm cleared.',
            cure: {
              text: 'Defragment one member after the other, then clear the alarm.',
              command: 'ichor doctor --fix ICH0502',
            },
          }
        : {
            subject: { kind: 'member', name },
            title: `The etcd data of ${name} is corrupt.`,
            detail: 'It differs from that of the other members. It must not become the majority.',
            cure: etcd?.members.some(({ id }) => id === raised.member)
              ? { text: 'Create its machine again, as a new member.', command: `ichor replace ${name}`, steps: true }
              : { text: 'It is no member any more: clear its alarm.', command: 'ichor doctor --fix ICH0502' },
          }
    }
  },
})
