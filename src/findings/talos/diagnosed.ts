import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const diagnosed = defineFinding({
  code: 'ICH0406',
  name: 'Talos reports a problem',
  severity: 'warns',
  needs: ['examined.machines'],
  *find({ examined }) {
    for (const { name, diagnostics } of examined?.machines ?? []) {
      for (const { id, text } of ifSeen(diagnostics) ?? []) {
        yield {
          subject: { kind: 'machine', name },
          title: `Talos on ${name} reports: ${text}`,
          detail: `It is its diagnostic ${id}.`,
          cure: { text: `Talos describes it: https://talos.dev/diagnostic/${id}` },
        }
      }
    }
  },
})
