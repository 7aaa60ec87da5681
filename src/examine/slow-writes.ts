const recentMs = 3_600_000

interface Logged {
  readonly ts?: unknown
  readonly msg?: unknown
  readonly took?: unknown
}

/**
 * How long the slow writes of the last hour took: etcd logs each one of more than a second, in JSON. Recent is judged by
 * its own newest line.
 */
export async function slowWritesIn(log: AsyncIterable<Uint8Array>): Promise<number[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of log) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').flatMap(lineOf)
  const newest = Math.max(...lines.map(({ at }) => at))
  return lines.flatMap(({ at, slowMs }) => (slowMs === undefined || newest - at > recentMs ? [] : [slowMs]))
}

function lineOf(line: string): { at: number; slowMs?: number }[] {
  const logged = parsed(line)
  const at = Date.parse(String(logged?.ts))
  if (logged === undefined || Number.isNaN(at)) return []
  return logged.msg === 'slow fdatasync' ? [{ at, slowMs: durationMs(String(logged.took)) }] : [{ at }]
}

function parsed(line: string): Logged | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const unitsMs: Readonly<Record<string, number>> = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A duration of Go: `1m2.5s`, `980.1ms`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)(ns|µs|ms|s|m|h)/g)]
  return parts.reduce((sum, [, number, unit = 's']) => sum + Number(number) * (unitsMs[unit] ?? 0), 0)
}
