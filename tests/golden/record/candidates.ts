import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Recorded {
  readonly from: string
  readonly signature: string
  readonly case: {
    readonly goal: string
    readonly environment: string
    readonly inventory: { readonly folder: string }
    readonly isOther: boolean
  }
}

export interface Candidate {
  readonly name: string
  readonly encoded: unknown
}

/** What was recorded in that folder, without what belongs to the computer: folders and ports. */
export function candidatesIn(folder: string): Candidate[] {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
  const bySignature = new Map<string, Candidate>()
  for (const line of lines) {
    const { signature, ...recorded }: Recorded = JSON.parse(line)
    if (!bySignature.has(signature)) bySignature.set(signature, candidate(recorded))
  }
  return [...bySignature.values()]
}

function candidate({ from, case: { isOther: _, ...golden } }: Omit<Recorded, 'signature'>): Candidate {
  const { folder } = golden.inventory
  const text = JSON.stringify({ from, ...golden, environment: 'dev' })
    .replaceAll(folder, '/inventory/dev')
    .replaceAll(
      /(http:\/\/)?127\.0\.0\.1:\d{4,5}/g,
      (_, scheme) => `${scheme === undefined ? '' : 'https://'}factory.example.com`,
    )
    .replaceAll(/\/tmp\/[\w/.-]+/g, '/inventory/other')
  return { name: nameOf(golden.goal, from), encoded: JSON.parse(text) }
}

/** `up-plan-move-a-cold-move-waits`: the goal, the test file and how its test begins. */
function nameOf(goal: string, from: string): string {
  const [file = '', ...rest] = from.split(': ')
  const subject = file.replace(/^.*\//, '').replace('.test.ts', '')
  const words = `${goal} ${subject} ${rest.join(' ')}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replace(/^(.{0,64})(-.*)?$/, '$1').replace(/-$/, '')
}
