import { computed, effect, signal } from '@preact/signals'
import type { ClusterState, PageState, PlanAnswer } from '../../page/state.js'
import { LinkExpired } from './live-source.js'
import type { Source } from './source.js'

export const screens = ['estate', 'cluster', 'plan', 'runs', 'fleet'] as const
export type Screen = (typeof screens)[number]

export const state = signal<PageState | undefined>(undefined)
/** Why nothing new comes from the server, and since when. */
export const lost = signal<{ readonly text: string; readonly since: number; readonly isFinal: boolean } | undefined>(
  undefined,
)
/** The clock of the page, which ages are counted by. */
export const now = signal(Date.now())
export const screen = signal<Screen>('estate')
/** What is chosen on the screen: a host, a finding, a run. */
export const chosen = signal('')
export const clusterIndex = signal(0)
export const isSearching = signal(false)
/** As a person chose; otherwise that of the browser counts, which may change at dusk. */
export const theme = signal<'light' | 'dark' | undefined>(undefined)
const dark = matchMedia('(prefers-color-scheme: dark)')
const prefersDark = signal(dark.matches)
dark.addEventListener('change', ({ matches }) => {
  prefersDark.value = matches
})
export const isDark = computed(() => (theme.value === undefined ? prefersDark.value : theme.value === 'dark'))
export const plans = signal<Readonly<Record<number, PlanAnswer>>>({})

export const cluster = computed<ClusterState | undefined>(() => state.value?.clusters[clusterIndex.value])

const askEveryMs = 2000

/** Asks again and again. Every signal is set here or by what a person does. */
export function keepAsking(source: Source): void {
  readAddress()
  addEventListener('hashchange', readAddress)
  effect(() => {
    if (theme.value !== undefined) document.documentElement.dataset.theme = theme.value
  })
  effect(() => {
    const { name, snapshot, failure = null } = cluster.value ?? {}
    const word = failure === null ? (snapshot?.verdict.word ?? '…') : 'NOT SEEN'
    document.title = name === undefined ? 'ichor' : `${word} ${name}, ichor`
  })
  if (!source.isLive) {
    void source.state().then((found) => {
      if (found === undefined) return
      state.value = found
      now.value = Date.parse(found.at)
    })
    return
  }
  setInterval(() => {
    now.value = Date.now()
  }, 1000)
  void askForever(source)
}

async function askForever(source: Source): Promise<void> {
  for (;;) {
    try {
      const found = await source.state()
      if (found !== undefined) state.value = found
      lost.value = undefined
      now.value = Date.now()
    } catch (thrown) {
      const isFinal = thrown instanceof LinkExpired
      const text = isFinal ? thrown.message : 'ichor ui does not answer'
      lost.value = { text, since: lost.value?.since ?? Date.now(), isFinal }
      if (isFinal) return
    }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
}

/** `#/runs/2/ID`: the screen, the cluster, and what is chosen. */
export function address(to: Screen, what = '', index = clusterIndex.value): string {
  return `#/${to}/${index}${what === '' ? '' : `/${encodeURIComponent(what)}`}`
}

function readAddress(): void {
  const [, to, index, what] = location.hash.split('/')
  screen.value = screens.find((one) => one === to) ?? 'estate'
  clusterIndex.value = Number(index ?? 0) || 0
  chosen.value = decodeURIComponent(what ?? '')
}
