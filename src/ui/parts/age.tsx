import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { isOld } from '../data/age.js'
import { cluster, now } from '../data/store.js'
import { agoText, timeText, untilText } from './format.js'

/* Only these are drawn again as time passes, not what stands around them. */

export function Ago({ at }: { readonly at: string | number | null }) {
  return <>{agoText(at, now.value)}</>
}

export function Until({ at }: { readonly at: string }) {
  return <>{untilText(at, now.value)}</>
}

export function Time({ at }: { readonly at: string }) {
  return <>{timeText(at, now.value)}</>
}

/** Whether what was seen then is old by now. */
export function useOld(at: string | null): boolean {
  return useComputed(() => cluster.value !== undefined && isOld(at, cluster.value, now.value)).value
}

interface SeenPanelProps {
  readonly title: ComponentChildren
  readonly at: string | null
  /** Why it is not seen now. */
  readonly why?: string | null
  readonly children?: ComponentChildren
}

/** A part of a look: how old it is stands beside it, and it turns pale when it is old. */
export function SeenPanel({ title, at, why = null, children }: SeenPanelProps) {
  const isStale = useOld(at) || why !== null
  return (
    <section class={`panel${isStale ? ' stale' : ''}`}>
      <header>
        <h2>{title}</h2>
        <span class={`small ${isStale ? 'warn' : 'quiet'}`}>
          {at === null ? 'never seen' : why === null ? 'seen ' : 'last seen '}
          {at === null ? null : <Ago at={at} />}
          {why === null ? null : `: ${why}`}
        </span>
      </header>
      {children}
    </section>
  )
}
