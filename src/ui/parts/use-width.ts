import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** How wide an element is, while it is on the page; 0 before that is known. */
export function useWidth(element: RefObject<HTMLElement | null>, isOnPage: boolean): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const read = () => setWidth(current.clientWidth)
    read()
    const observer = new ResizeObserver(read)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOnPage])
  return width
}
