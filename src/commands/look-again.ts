import { setTimeout as wait } from 'node:timers/promises'

interface Looking {
  readonly look: () => Promise<string>
  readonly failed: (thrown: unknown) => string
  readonly show: (text: string) => void
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Looks until Ctrl-C. Who watches wants to see it end: what does not answer for a while is shown, and no reason to stop. */
export async function lookAgain({ look, failed, show, everyMs, signal }: Looking): Promise<void> {
  while (!signal.aborted) {
    const text = await look().catch(failed)
    if (signal.aborted) return
    show(text)
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
