import { useComputed } from '@preact/signals'
import { useMemo, useRef, useState } from 'preact/hooks'
import { durationText } from '../../report/duration.js'
import { type FoldedTime, foldTime } from '../data/folded-time.js'
import type { RunPicture, StepPicture } from '../data/run-picture.js'
import { now } from '../data/store.js'
import { clusterRow } from '../data/waves.js'
import { kept } from './kept.js'
import { useGrowing } from './use-growing.js'
import { useWidth } from './use-width.js'

const zooms = [1, 2, 4, 8, 16]
/** Narrower than this it is scrolled. */
const minWidth = 600
const lanesAtOnce = 40
const laneHeight = 26
const left = 150

interface Bar {
  readonly step: StepPicture
  readonly from: number
  /** `null`: it has not ended. */
  readonly to: number | null
}

interface Lane {
  readonly name: string
  readonly bars: readonly Bar[]
  /** What the same steps took in the run before. */
  readonly ghosts: readonly Bar[]
}

/** The line of time, and how wide it is drawn. */
interface Scale {
  readonly time: FoldedTime
  readonly width: number
}

interface Props {
  readonly run: RunPicture
  readonly before: RunPicture | undefined
  readonly critical: ReadonlySet<string>
  /** The least that these steps could take, in milliseconds; 0 while that is not known. */
  readonly floor: number
}

/** A lane for each machine; dashed, what the same steps took in the run before; underlined, the critical path. */
export function Timeline({ run, before, critical, floor }: Props) {
  const [zoom, setZoom] = useState(0)
  const [filter, setFilter] = useState('')
  const lanes = useMemo(() => lanesOf(run, before), [run.steps, before])
  const box = useRef<HTMLElement>(null)
  const fullWidth = Math.max(minWidth, useWidth(box, lanes.length > 0))
  const end = useEnd(run)
  const drawnLanes = useGrowing(lanes.length, lanesAtOnce)
  const time = useMemo(
    () => foldTime(lanes.flatMap(({ bars }) => bars.map(({ from, to }) => ({ from, to: to ?? end })))),
    [lanes, end],
  )
  if (lanes.length === 0) return null
  const shown = lanes.filter(({ name }) => name.includes(filter))
  const width = fullWidth * (zooms[zoom] ?? 1)
  const scale = { time, width }
  const shift = (run.startedAt ?? 0) - (before?.startedAt ?? 0)
  const zoomBy = (by: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, zoom + by)))
  const height = shown.length * laneHeight + 26
  const begin = Math.min(...lanes.flatMap(({ bars }) => bars.map(({ from }) => from)))
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
        ref={box}
        class="scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label="Timeline: plus and minus zoom"
        onKeyDown={({ key }) => (key === '+' || key === '=' ? zoomBy(1) : key === '-' ? zoomBy(-1) : undefined)}
      >
        <svg class="timeline" width={width} height={height} role="img" aria-label={`${shown.length} lanes`}>
          {shown.slice(0, drawnLanes).map((lane, index) => (
            <LaneOf key={lane.name} {...{ lane, index, scale, shift, critical, isOver: run.outcome !== null }} />
          ))}
          {floor === 0 ? null : (
            <g class="floor">
              <line x1={placeOf(begin + floor, scale)} x2={placeOf(begin + floor, scale)} y1={0} y2={height - 20}>
                <title>{`No run of these steps takes less than ${durationText(floor)}`}</title>
              </line>
            </g>
          )}
          {time.folds.map(({ at, ms }) => (
            <text class="axis" key={at} x={left + (at / time.total) * (width - left - 10)} y={height - 6}>
              ⋯ {durationText(ms)}
            </text>
          ))}
          <text class="axis" x={left} y={height - 6}>
            0
          </text>
          <text class="axis" x={width - 10} y={height - 6} text-anchor="end">
            {durationText(end - (run.startedAt ?? end))}
            {floor === 0 ? '' : `, floor ${durationText(floor)}`}
          </text>
        </svg>
      </section>
    </section>
  )
}

interface LaneProps {
  readonly lane: Lane
  readonly index: number
  readonly scale: Scale
  readonly shift: number
  readonly critical: ReadonlySet<string>
  readonly isOver: boolean
}

const LaneOf = kept(drawLane, ({ lane: { bars, ghosts }, index, scale, shift, critical, isOver }: LaneProps) => [
  index,
  scale.width,
  scale.time.key,
  shift,
  isOver,
  ...[...bars, ...ghosts].map(({ step }) => step),
  ...bars.flatMap(({ step: { id } }) => (critical.has(id) ? id : [])),
])

function drawLane({ lane: { name, bars, ghosts }, index, scale, shift, critical, isOver }: LaneProps) {
  return (
    <g transform={`translate(0 ${index * laneHeight})`}>
      <line class="grid-line" x1={0} x2={scale.width} y1={laneHeight - 1} y2={laneHeight - 1} />
      <text x={0} y={16}>
        {name}
      </text>
      {bars.map((bar) =>
        bar.to !== null || isOver ? (
          <BarOf key={bar.step.id} bar={bar} to={bar.to ?? bar.from} scale={scale} />
        ) : (
          <GrowingBar key={bar.step.id} bar={bar} scale={scale} />
        ),
      )}
      {bars
        .filter(({ step }) => critical.has(step.id))
        .map((bar) => (
          <Mark key={bar.step.id} bar={bar} scale={scale} />
        ))}
      {ghosts.map(({ step, from, to }) => {
        const ended = to ?? from
        return (
          <rect
            key={step.id}
            class="ghost"
            x={placeOf(from + shift, scale)}
            y={17.5}
            width={widthOf(from + shift, ended + shift, scale)}
            height={5}
          >
            <title>{`${step.title}, the run before: ${durationText(ended - from)}`}</title>
          </rect>
        )
      })}
    </g>
  )
}

interface BarProps {
  readonly bar: Bar
  readonly scale: Scale
}

/** A step that runs grows with the clock. */
function GrowingBar({ bar, scale }: BarProps) {
  return <BarOf bar={bar} to={Math.max(bar.from, now.value)} scale={scale} />
}

function BarOf({ bar: { step, from }, to, scale }: BarProps & { readonly to: number }) {
  const waits = step.waitsFor === '' ? '' : `, waits for ${step.waitsFor}`
  return (
    <rect class={looksOf(step)} x={placeOf(from, scale)} y={4} width={widthOf(from, to, scale)} height={12} rx={3}>
      <title>{`${step.title}: ${durationText(to - from)}${waits}`}</title>
    </rect>
  )
}

/** Over a bar of the critical path. */
function Mark({ bar: { from, to }, scale }: BarProps) {
  return (
    <rect class="critical" x={placeOf(from, scale)} y={0} width={widthOf(from, to ?? now.value, scale)} height={2}>
      <title>on the critical path</title>
    </rect>
  )
}

function placeOf(at: number, { time, width }: Scale): number {
  return left + (time.place(at) / time.total) * (width - left - 10)
}

function widthOf(from: number, to: number, scale: Scale): number {
  return Math.max(2, placeOf(to, scale) - placeOf(from, scale))
}

/** Of a run that goes on, a little ahead: a line that grew with every second would be drawn again with every second. */
function useEnd({ outcome, startedAt, lastAt }: RunPicture): number {
  const ahead = useComputed(() => {
    const start = startedAt ?? 0
    const part = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, now.value - start))) - 3)
    return start + Math.ceil((now.value - start) / part) * part
  })
  return outcome === null ? Math.max(ahead.value, lastAt ?? 0) : (lastAt ?? 0)
}

function lanesOf(run: RunPicture, before: RunPicture | undefined): Lane[] {
  const lanes = new Map<string, { name: string; bars: Bar[]; ghosts: Bar[] }>()
  const nameOf = ({ machine }: StepPicture) => machine ?? clusterRow
  for (const bar of barsOf(run)) {
    const name = nameOf(bar.step)
    const lane = lanes.get(name) ?? { name, bars: [], ghosts: [] }
    lane.bars.push(bar)
    lanes.set(name, lane)
  }
  for (const bar of before === undefined ? [] : barsOf(before)) lanes.get(nameOf(bar.step))?.ghosts.push(bar)
  return [...lanes.values()]
}

function barsOf({ steps }: RunPicture): Bar[] {
  return [...steps.values()].flatMap((step) =>
    step.startedAt === null ? [] : [{ step, from: step.startedAt, to: step.endedAt }],
  )
}

function looksOf({ state, kind }: StepPicture): string {
  if (state === 'failed' || state === 'undone') return 'failed'
  if (state === 'running' || state === 'waiting') return 'running'
  return /^(await|reach|join|check)-/.test(kind) ? 'waited' : 'done'
}
