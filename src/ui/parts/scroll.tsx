import type { ComponentChildren } from 'preact'

/** What may be wider than the screen: it scrolls by itself, also by keyboard. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
