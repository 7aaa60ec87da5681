/** Runs the work and sends notices while the host does not respond. */
export type WatchSilence = <T>(host: string, what: string, work: () => Promise<T>) => Promise<T>

const tickMs = 500
/** The first notice comes after two seconds, further ones less and less often. */
const reportAtMs = [2_000, 15_000, 30_000, 60_000]

interface Silence {
  /** Requests without a response, oldest first. */
  readonly asked: Set<{ readonly what: string }>
  since: number
  reports: number
  readonly timer: NodeJS.Timeout
}

/** One notice per host, however many calls wait for it: a host that answers other calls is slow, not silent. */
export function createSilenceNotice(report: (text: string) => void): WatchSilence {
  const silences = new Map<string, Silence>()

  const tick = (host: string) => {
    const silence = silences.get(host)
    const [oldest] = silence?.asked ?? []
    if (silence === undefined || oldest === undefined) return
    const ms = performance.now() - silence.since
    if (ms < (reportAtMs[silence.reports] ?? Number.POSITIVE_INFINITY)) return
    silence.reports++
    if (silence.reports === 1) report(`waiting for ${host} to answer ${oldest.what}.`)
    else report(`${host} has not answered ${oldest.what} for ${Math.round(ms / 1000)} s.`)
  }
  const begin = (host: string): Silence => {
    const timer = setInterval(() => tick(host), tickMs).unref()
    const silence = { asked: new Set<{ what: string }>(), since: performance.now(), reports: 0, timer }
    silences.set(host, silence)
    return silence
  }
  const end = (host: string, silence: Silence, question: { what: string }) => {
    silence.asked.delete(question)
    silence.since = performance.now()
    silence.reports = 0
    if (silence.asked.size > 0) return
    clearInterval(silence.timer)
    silences.delete(host)
  }

  return async (host, what, work) => {
    const silence = silences.get(host) ?? begin(host)
    const question = { what }
    silence.asked.add(question)
    try {
      return await work()
    } finally {
      end(host, silence, question)
    }
  }
}
