import { expect, test } from 'vitest'
import {
  addressProblem,
  apiProblem,
  endpointProblem,
  nameProblem,
  networkProblem,
  workersProblem,
} from './check-answers.js'

test.each([
  { check: nameProblem, good: ['dev', 'prod-2'], bad: ['', 'Dev', '2nd', 'a_b', '-a', 'a-', 'x'.repeat(33)] },
  { check: endpointProblem, good: ['https://10.0.10.2:8006'], bad: ['10.0.10.2', 'http://10.0.10.2:8006', ''] },
  { check: networkProblem, good: ['10.0.10.0/24'], bad: ['10.0.10.0', 'nonsense', '10.0.10.0/99'] },
  { check: workersProblem, good: ['0', '3', '200'], bad: ['', 'three', '-1', '2.5', 'NaN'] },
  {
    check: (answer: string) => addressProblem(answer, '10.0.10.0/24'),
    good: ['10.0.10.1', '10.0.10.254'],
    bad: ['10.0.11.1', '10.0.10.0', '10.0.10.255', 'vmbr0', ''],
  },
  {
    check: (answer: string) =>
      apiProblem(
        answer,
        '10.0.10.0/24',
        new Map([
          ['10.0.10.1', 'the gateway'],
          ['10.0.10.10', 'a machine'],
        ]),
      ),
    good: ['10.0.10.5'],
    bad: ['10.0.10.1', '10.0.10.10', '10.0.11.5'],
  },
])('answers are checked at the question: $good, not $bad', ({ check, good, bad }) => {
  for (const answer of good) expect(check(answer), answer).toBeUndefined()
  for (const answer of bad) expect(check(answer), answer).toMatch(/\.$/)
})
