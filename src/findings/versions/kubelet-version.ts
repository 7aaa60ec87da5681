import { ifSeen } from '../../cluster/seen.js'
import { parseVersion } from '../../cluster/version.js'
import { defineFinding } from '../define-finding.js'

/** As Kubernetes allows it: never newer than the API server, and at most three minors older. */
const maxOlder = 3

export const kubeletVersion = defineFinding({
  code: 'ICH1103',
  name: 'A kubelet does not fit its API server',
  severity: 'blocks',
  needs: ['kubernetes'],
  *find({ observed }) {
    const kubernetes = ifSeen(observed.kubernetes)
    const server = parseVersion(kubernetes?.version ?? '')
    for (const { name, kubeletVersion: version } of kubernetes?.nodes ?? []) {
      const kubelet = parseVersion(version)
      if (server === undefined || kubelet === undefined) continue
      const older = server.minor - kubelet.minor
      if (older >= 0 && older <= maxOlder) continue
      yield {
        subject: { kind: 'node', name },
        title: `The kubelet of ${name} is ${version}, and the API server ${kubernetes?.version}.`,
        detail:
          older < 0
            ? 'A kubelet must not be newer than its API server.'
            : `It may be at most ${maxOlder} minors older.`,
        cure: { text: 'Bring them together.', command: 'ichor up' },
      }
    }
  },
})
