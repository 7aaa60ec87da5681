import { useEffect } from 'preact/hooks'
import type { Source } from './data/source.js'
import {
  address,
  chosen,
  cluster,
  clusterIndex,
  isDark,
  isSearching,
  lost,
  type Screen,
  screen,
  screens,
  state,
  theme,
} from './data/store.js'
import { Ago, useOld } from './parts/age.js'
import { Search } from './parts/search.js'
import { Sign } from './parts/sign.js'
import { Cluster } from './screens/cluster.js'
import { Estate } from './screens/estate.js'
import { Fleet } from './screens/fleet.js'
import { Plan } from './screens/plan.js'
import { Runs } from './screens/runs.js'

const titles: Readonly<Record<Screen, string>> = {
  estate: 'Estate',
  cluster: 'Cluster',
  plan: 'Plan',
  runs: 'Runs',
  fleet: 'Fleet',
}

export function Page({ source }: { readonly source: Source }) {
  useKeys()
  const [at, what] = [screen.value, chosen.value]
  useEffect(() => {
    document.getElementById(what)?.scrollIntoView({ block: 'center' })
  }, [at, what])
  const shown = state.value
  if (lost.value?.isFinal === true && shown === undefined) return <NoLink text={lost.value.text} />
  if (shown === undefined) return <main class="quiet">Connecting…</main>
  const many = shown.clusters.length > 1
  return (
    <>
      <header class="top">
        <a class="brand" href={address('estate')}>
          <span class="mark">ichor</span> {cluster.value?.name}
        </a>
        <nav class="tabs" aria-label="Screens">
          {screens
            .filter((name) => many || name !== 'fleet')
            .map((name) => (
              <a key={name} href={address(name)} aria-current={name === at ? 'page' : undefined}>
                {titles[name]}
              </a>
            ))}
        </nav>
        <div class="tools">
          <Freshness source={source} />
          <button type="button" class="tool" onClick={() => (isSearching.value = true)}>
            Search <kbd class="wide-only">/</kbd>
          </button>
          <button type="button" class="tool" onClick={switchTheme}>
            {isDark.value ? 'Light' : 'Dark'}
          </button>
        </div>
      </header>
      {/* Only a new screen is announced: what changes on it is announced where it changes. */}
      <main aria-label={titles[at]}>
        <Screens source={source} />
      </main>
      <Search />
    </>
  )
}

function Screens({ source }: { readonly source: Source }) {
  const [shown, one] = [state.value, cluster.value]
  if (shown === undefined) return null
  if (screen.value === 'fleet') return <Fleet state={shown} />
  if (one === undefined) return <section class="panel">There is no such cluster.</section>
  // Another cluster is another screen: nothing of the last one may stay.
  const props = { key: `${screen.value}${clusterIndex.value}`, state: one, source }
  if (screen.value === 'cluster') return <Cluster {...props} />
  if (screen.value === 'plan') return <Plan {...props} />
  if (screen.value === 'runs') return <Runs {...props} />
  return <Estate {...props} />
}

/** How old what is shown is, and why there is nothing newer. */
function Freshness({ source }: { readonly source: Source }) {
  const { at = null } = cluster.value?.snapshot ?? {}
  const isStale = useOld(at)
  if (!source.isLive)
    return (
      <span class="quiet small">
        as of {state.value === undefined ? '' : new Date(state.value.at).toLocaleString('en-GB')}
      </span>
    )
  if (lost.value !== undefined)
    return (
      <span class="warn small" role="alert">
        <Sign kind="unseen" />
        {lost.value.text}
      </span>
    )
  return (
    <button
      type="button"
      class={`tool small${isStale ? ' warn' : ''}`}
      title="Look now"
      onClick={() => void source.lookNow(clusterIndex.value).catch(() => {})}
    >
      {at === null ? (
        'looking…'
      ) : (
        <>
          seen <Ago at={at} />
        </>
      )}
      <span class="hidden-text">, look now</span>
    </button>
  )
}

function NoLink({ text }: { readonly text: string }) {
  return (
    <main>
      <section class="panel verdict unseen">
        <h1>Open the link that the terminal shows</h1>
        <p>
          {text}. This page keeps its key in memory only, so it is gone when the page is loaded again. Run{' '}
          <code>ichor ui</code> or open its link once more.
        </p>
      </section>
    </main>
  )
}

function switchTheme(): void {
  theme.value = isDark.value ? 'light' : 'dark'
}

/** `/` searches, digits choose a screen, `t` switches light and dark. */
function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return
      const to = screens[Number(key) - 1]
      if (key === '/') isSearching.value = true
      else if (key === 't') switchTheme()
      else if (to !== undefined) location.hash = address(to)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
