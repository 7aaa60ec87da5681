import { useEffect, useState } from 'preact/hooks'
import type { RunSummary } from '../../page/run-summary.js'
import type { ClusterState } from '../../page/state.js'
import { durationText } from '../../report/duration.js'
import { emptyRun, type RunPicture, withEvents } from '../data/run-picture.js'
import type { Source } from '../data/source.js'
import { address, chosen, clusterIndex, now } from '../data/store.js'
import { countOf, timeText } from '../parts/format.js'
import { Sign, type SignKind } from '../parts/sign.js'
import { Run } from './run.js'

export function Runs({ state: { runs }, source }: { readonly state: ClusterState; readonly source: Source }) {
  const running = runs.find(({ outcome, last }) => outcome === null && now.value - Date.parse(last) < recentMs)
  const shown = chosen.value === '' ? (running ?? runs[0])?.id : chosen.value
  const run = useRun(source, shown)
  const index = runs.findIndex(({ id }) => id === shown)
  const earlier = runs.slice(index + 1).find(({ goal }) => goal === runs[index]?.goal)
  const before = useRun(source, earlier?.id, 'whole')
  if (runs.length === 0)
    return <section class="panel quiet">No run of this cluster was started from this computer.</section>
  return (
    <>
      {run === undefined ? null : (
        <Run run={run.picture} isLinked={run.isLinked} before={before?.picture} summary={runs[index]} />
      )}
      <section class="panel">
        <h2>Runs</h2>
        <div class="scroll">
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
                <tr key={one.id} aria-current={one.id === shown ? 'true' : undefined}>
                  <td>
                    <Sign kind={signOf(one)} />
                    <a href={address('runs', one.id)}>{one.goal}</a>
                  </td>
                  <td>{timeText(one.started, now.value)}</td>
                  <td>{endOf(one)}</td>
                  <td class="number">{one.ms === null ? '' : durationText(one.ms)}</td>
                  <td class="number">
                    {one.outcome === null ? `${one.done} of ${countOf(one.steps, 'step')}` : one.changed}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

/** A run that wrote nothing for so long has probably been killed. */
const recentMs = 10 * 60_000

function signOf({ outcome, last }: RunSummary): SignKind {
  if (outcome === null) return now.value - Date.parse(last) < recentMs ? 'info' : 'unseen'
  return outcome === 'done' || outcome === 'nothing-to-do' ? 'well' : outcome === 'failed' ? 'blocks' : 'warns'
}

function endOf({ outcome, last }: RunSummary): string {
  if (outcome !== null) return outcome.replaceAll('-', ' ')
  return now.value - Date.parse(last) < recentMs ? 'running' : 'no end recorded'
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
    waiting = [...waiting, ...items]
  }
}
