import { describe, expect, test } from 'vitest'
import { examine } from '../../src/inventory/examine.js'
import type { Problem } from '../../src/inventory/problem.js'

/** What is wrong, a cluster.yaml with `^` before the place that the problem should point at, and the problem. */
export type Row = [title: string, text: string, message: string]

export const net = 'network:\n  cidr: 10.0.10.0/24'

/** Each inventory has the expected problem at its place, and at most one other. */
export function expectProblems(subject: string, rows: readonly Row[]): void {
  describe(subject, () => {
    test.each(rows)('%s', async (_, written, message) => {
      const { text, line, column } = marked(written)
      const problems = await errorsIn(text)
      const reported = problems.map((problem) => `${problem.line}:${problem.column} ${problem.message} ${problem.fix}`)
      expect(reported).toContain(`${line}:${column} ${message}`)
      expect(reported.length, reported.join('\n')).toBeLessThan(3)
    })
  })
}

async function errorsIn(text: string): Promise<readonly Problem[]> {
  const { problems } = await examine({ folder: '/nowhere', cluster: { file: 'cluster.yaml', text } })
  return problems.filter(({ severity }) => severity === 'error')
}

function marked(text: string): { text: string; line: number; column: number } {
  const [before = '', after = ''] = text.split('^')
  const lines = before.split('\n')
  return { text: before + after, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
