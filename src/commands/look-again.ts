import { setTimeout as wait } from 'node:timers/promises'

interface ObserveOptions {
  readonly look: () => Promise<string>
  readonly failed: (thrown: unknown) => string
  readonly show: (text: string) => void
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Repeats until Ctrl-C. Temporary failures are shown and do not end it. */
export async function lookAgain({ look, failed, show, everyMs, signal }: ObserveOptions): Promise<void> {
  while (!signal.aborted) {
    const text = await look().catch(failed)
    if (signal.aborted) return
    show(text)
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
