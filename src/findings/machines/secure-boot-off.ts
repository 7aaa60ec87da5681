import { defineFinding } from '../define-finding.js'
import { nodeProblems } from './node-problems.js'

export const secureBootOff = defineFinding({
  code: 'ICH0313',
  name: 'A machine has booted without Secure Boot',
  severity: 'blocks',
  needs: ['talos'],
  *find({ observed }) {
    for (const { name, text, fix } of nodeProblems(observed, 'secure-boot'))
      yield {
        subject: { kind: 'machine', name },
        title: `${name}: ${text}.`,
        detail:
          'Its firmware has no keys and starts any loader. Before Talos 1.14 only the ISO enrols them, and an image does not.',
        cure: { text: `${fix}.` },
      }
  },
})
