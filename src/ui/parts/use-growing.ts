import { useEffect, useState } from 'preact/hooks'

/** How many of a long list are drawn: some at once, the rest over the next frames, so that the page answers in between. */
export function useGrowing(count: number, each: number): number {
  const [shown, setShown] = useState(each)
  useEffect(() => {
    if (shown >= count) return undefined
    const next = requestAnimationFrame(() => setShown(shown + each))
    return () => cancelAnimationFrame(next)
  }, [shown, count, each])
  return Math.min(shown, count)
}
