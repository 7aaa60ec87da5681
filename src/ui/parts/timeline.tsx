import { useState } from 'preact/hooks'
import { durationText } from '../../report/duration.js'
import { foldTime } from '../data/folded-time.js'
import type { RunPicture, StepPicture } from '../data/run-picture.js'
import { clusterRow } from '../data/waves.js'

const zooms = [1, 2, 4, 8, 16]
const usualWidth = 1000
const laneHeight = 26
const left = 150

interface Bar {
  readonly step: StepPicture
  readonly from: number
  readonly to: number
}

/** A lane for each machine; dashed, what the same steps took in the run before. */
export function Timeline({
  run,
  before,
  clock,
}: {
  readonly run: RunPicture
  readonly before: RunPicture | undefined
  readonly clock: number
}) {
  const [zoom, setZoom] = useState(0)
  const [filter, setFilter] = useState('')
  const bars = barsOf(run, clock)
  const ghosts = before === undefined ? [] : barsOf(before, clock)
  const lanes = [...new Set(bars.map(({ step }) => step.machine ?? clusterRow))].filter((name) => name.includes(filter))
  if (bars.length === 0) return null
  const time = foldTime(bars)
  const width = usualWidth * (zooms[zoom] ?? 1)
  const x = (at: number) => left + (time.place(at) / time.total) * (width - left - 10)
  const shift = (run.startedAt ?? 0) - (before?.startedAt ?? 0)
  const zoomBy = (by: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, zoom + by)))
  const height = lanes.length * laneHeight + 26
  return (
    <section class="panel">
      <header>
        <h2>Timeline</h2>
        <span class="tools small">
          <label class="quiet">
            Machine{' '}
            <input class="field" size={12} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
          </label>
          <button type="button" class="tool" aria-label="Zoom out" onClick={() => zoomBy(-1)}>
            −
          </button>
          <button type="button" class="tool" aria-label="Zoom in" onClick={() => zoomBy(1)}>
            +
          </button>
        </span>
      </header>
      <section
        class="scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label="Timeline: plus and minus zoom"
        onKeyDown={({ key }) => (key === '+' || key === '=' ? zoomBy(1) : key === '-' ? zoomBy(-1) : undefined)}
      >
        <svg
          class="timeline"
          viewBox={`0 0 ${width} ${height}`}
          style={{ minWidth: `${width * 0.75}px` }}
          role="img"
          aria-label={`${lanes.length} lanes`}
        >
          {lanes.map((name, lane) => (
            <g key={name} transform={`translate(0 ${lane * laneHeight})`}>
              <line class="grid-line" x1={0} x2={width} y1={laneHeight - 1} y2={laneHeight - 1} />
              <text x={0} y={16}>
                {name}
              </text>
              {bars
                .filter(({ step }) => (step.machine ?? clusterRow) === name)
                .map(({ step, from, to }) => (
                  <rect
                    key={step.id}
                    class={looksOf(step)}
                    x={x(from)}
                    y={4}
                    width={Math.max(2, x(to) - x(from))}
                    height={12}
                    rx={3}
                  >
                    <title>{`${step.title}: ${durationText(to - from)}`}</title>
                  </rect>
                ))}
              {ghosts
                .filter(({ step }) => (step.machine ?? clusterRow) === name)
                .map(({ step, from, to }) => (
                  <rect
                    key={step.id}
                    class="ghost"
                    x={x(from + shift)}
                    y={18}
                    width={Math.max(2, x(to + shift) - x(from + shift))}
                    height={3}
                  >
                    <title>{`${step.title}, the run before: ${durationText(to - from)}`}</title>
                  </rect>
                ))}
            </g>
          ))}
          {time.folds.map(({ at, ms }) => (
            <text class="axis" key={at} x={left + (at / time.total) * (width - left - 10)} y={height - 6}>
              ⋯ {durationText(ms)}
            </text>
          ))}
          <text class="axis" x={left} y={height - 6}>
            0
          </text>
          <text class="axis" x={width - 10} y={height - 6} text-anchor="end">
            {durationText((run.lastAt ?? 0) - (run.startedAt ?? 0))}
          </text>
        </svg>
      </section>
    </section>
  )
}

function barsOf({ steps, outcome }: RunPicture, clock: number): Bar[] {
  return [...steps.values()].flatMap((step) => {
    if (step.startedAt === null) return []
    const to = step.endedAt ?? (outcome === null ? clock : step.startedAt)
    return [{ step, from: step.startedAt, to: Math.max(step.startedAt, to) }]
  })
}

function looksOf({ state, kind }: StepPicture): string {
  if (state === 'failed' || state === 'undone') return 'failed'
  if (state === 'running' || state === 'waiting') return 'running'
  return /^(await|reach|join|check)-/.test(kind) ? 'waited' : 'done'
}
