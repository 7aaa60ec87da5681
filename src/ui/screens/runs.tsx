import { computed } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { RunSummary } from '../../page/run-summary.js'
import type { ClusterState } from '../../page/state.js'
import { durationText } from '../../report/duration.js'
import { emptyRun, type RunPicture, withEvents } from '../data/run-picture.js'
import type { Source } from '../data/source.js'
import { address, chosen, cluster, clusterIndex, now } from '../data/store.js'
import { Time } from '../parts/age.js'
import { countOf } from '../parts/format.js'
import { Scroll } from '../parts/scroll.js'
import { Sign, type SignKind } from '../parts/sign.js'
import { Run } from './run.js'

export function Runs({ state: { runs }, source }: { readonly state: ClusterState; readonly source: Source }) {
  const shown = chosen.value === '' ? (running.value ?? runs[0]?.id) : chosen.value
  const run = useRun(source, shown)
  const index = runs.findIndex(({ id }) => id === shown)
  const earlier = runs.slice(index + 1).find(({ goal }) => goal === runs[index]?.goal)
  const before = useRun(source, earlier?.id, 'whole')
  if (runs.length === 0)
    return <section class="panel quiet">No run of this cluster was started from this computer.</section>
  return (
    <>
      {run === undefined ? null : (
        <Run key={shown} run={run.picture} isLinked={run.isLinked} before={before?.picture} />
      )}
      <section class="panel">
        <h2>Runs</h2>
        <Scroll label="Runs">
          <table>
            <thead>
              <tr>
                <th>run</th>
                <th>started</th>
                <th>end</th>
                <th class="number">took</th>
                <th class="number">changes</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((one) => (
                <RunRow key={one.id} run={one} isShown={one.id === shown} />
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
    </>
  )
}

function RunRow({ run, isShown }: { readonly run: RunSummary; readonly isShown: boolean }) {
  const { id, goal, started, outcome, ms, done, steps, changed } = run
  return (
    <tr aria-current={isShown ? 'true' : undefined}>
      <td>
        <Sign kind={signOf(run)} />
        <a href={address('runs', id)}>{goal}</a>
      </td>
      <td>
        <Time at={started} />
      </td>
      <td>{endOf(run)}</td>
      <td class="number">{ms === null ? '' : durationText(ms)}</td>
      <td class="number">{outcome === null ? `${done} of ${countOf(steps, 'step')}` : changed}</td>
    </tr>
  )
}

/** A run that wrote nothing for so long has probably been killed. */
const recentMs = 10 * 60_000

const isRunning = ({ outcome, last }: RunSummary) => outcome === null && now.value - Date.parse(last) < recentMs

const running = computed(() => cluster.value?.runs.find(isRunning)?.id)

function signOf(run: RunSummary): SignKind {
  const { outcome } = run
  if (outcome === null) return isRunning(run) ? 'info' : 'unseen'
  return outcome === 'done' || outcome === 'nothing-to-do' ? 'well' : outcome === 'failed' ? 'blocks' : 'warns'
}

function endOf(run: RunSummary): string {
  if (run.outcome !== null) return run.outcome.replaceAll('-', ' ')
  return isRunning(run) ? 'running' : 'no end recorded'
}

interface Followed {
  readonly picture: RunPicture
  readonly isLinked: boolean
}

/** The run as far as it is known; of a running one, each event as it is written. */
function useRun(source: Source, id: string | undefined, how: 'followed' | 'whole' = 'followed'): Followed | undefined {
  const [followed, setFollowed] = useState<(Followed & { readonly id: string }) | undefined>(undefined)
  const index = clusterIndex.value
  useEffect(() => {
    if (id === undefined) return undefined
    const gone = new AbortController()
    const show = (change: (last: Followed) => Followed) =>
      setFollowed((last) => ({ id, ...change(last?.id === id ? last : { picture: emptyRun, isLinked: true }) }))
    if (how === 'whole' || !source.isLive)
      void source
        .run(index, id)
        .then((events) => show((last) => ({ ...last, picture: withEvents(emptyRun, events) })))
        .catch(() => {})
    else
      void source
        .follow({
          cluster: index,
          run: id,
          since: 0,
          signal: gone.signal,
          onEvents: batched((events) => show((last) => ({ ...last, picture: withEvents(last.picture, events) }))),
          onLink: (isLinked) => show((last) => ({ ...last, isLinked })),
        })
        .catch(() => {})
    return () => gone.abort()
  }, [source, id, index, how])
  return followed?.id === id ? followed : undefined
}

/** Events that come in one frame of the screen are drawn together. */
function batched<T>(show: (items: readonly T[]) => void): (items: readonly T[]) => void {
  let waiting: T[] = []
  return (items) => {
    if (waiting.length === 0)
      requestAnimationFrame(() => {
        const all = waiting
        waiting = []
        show(all)
      })
    for (const item of items) waiting.push(item)
  }
}
