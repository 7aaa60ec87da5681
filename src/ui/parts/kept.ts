import { Component, type ComponentChild, type ComponentType } from 'preact'

/**
 * A component that is drawn again only if what it depends on has changed. A drawing that is kept with `useMemo` would
 * hold the page in which it was drawn first, and that one those before: the memory of the page would grow with every event.
 */
export function kept<P extends object>(
  draw: (props: P) => ComponentChild,
  dependsOn: (props: P) => readonly unknown[],
): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const [before, after] = [dependsOn(this.props), dependsOn(next)]
      return before.length !== after.length || before.some((value, index) => value !== after[index])
    }

    override render(): ComponentChild {
      return draw(this.props)
    }
  }
}
