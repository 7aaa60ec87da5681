import { useRef, useState } from 'preact/hooks'
import { durationText } from '../../report/duration.js'
import {
  floorOf,
  longestChain,
  type RunPicture,
  type StepPicture,
  type StepState,
  waitsOf,
  workedMs,
} from '../data/run-picture.js'
import { now } from '../data/store.js'
import { Time } from '../parts/age.js'
import { countOf } from '../parts/format.js'
import { Sign } from '../parts/sign.js'
import { StepGrid, type StepLooks } from '../parts/step-grid.js'
import { Timeline } from '../parts/timeline.js'

interface Props {
  readonly run: RunPicture
  readonly before: RunPicture | undefined
  readonly isLinked: boolean
}

/** A run, while it happens or later, from its events. */
export function Run({ run, before, isLinked }: Props) {
  const [chosen, setChosen] = useState('')
  const steps = [...run.steps.values()]
  const done = steps.filter(isDone).length
  const failed = steps.filter(({ state }) => state === 'failed' || state === 'undone')
  const active = steps.filter(({ state }) => state === 'running')
  const isOver = run.outcome !== null
  const chain = longestChain(run.steps)
  const critical = useCritical(chain.length < 2 ? [] : chain.map(({ id }) => id))
  // Without steps that never ended it would be too low.
  const floor = run.outcome === 'done' ? floorOf(run) : 0
  const step = run.steps.get(chosen)
  return (
    <>
      <section class={`panel verdict ${levelOf(run, failed.length)}`} aria-live="polite">
        <div class="line">
          <h1>{titleOf(run, done, steps.length)}</h1>
          <span class="quiet small">
            {run.startedAt === null ? null : (
              <>
                <Time at={new Date(run.startedAt).toISOString()} />,{' '}
                <Took from={run.startedAt} to={isOver ? run.lastAt : null} />
              </>
            )}
            {isLinked ? '' : ' · the connection was cut; what comes next is missing until it is back'}
          </span>
        </div>
        {isOver || steps.length === 0 ? null : (
          <div
            class="bar"
            role="progressbar"
            aria-label="Steps that are done"
            aria-valuenow={done}
            aria-valuemin={0}
            aria-valuemax={steps.length}
          >
            <span style={{ '--share': `${(done / Math.max(1, steps.length)) * 100}%` }} />
          </div>
        )}
        <ul class="rows">
          {failed.map((one) => (
            <li class="finding" key={one.id}>
              <Sign kind="blocks" />
              <div class="body">
                <p>
                  <strong>{one.title}</strong>: {one.failure?.problem ?? one.note}
                </p>
                {one.failure === null ? null : (
                  <>
                    <p class="quiet small">where: {one.failure.where}</p>
                    <p>Fix: {one.failure.fix}</p>
                  </>
                )}
              </div>
            </li>
          ))}
          {isOver ? null : waitsOf(run).map((wait) => <Wait key={wait.for} wait={wait} />)}
          {isOver ? null : active.slice(0, 6).map((one) => <Active key={one.id} step={one} />)}
          {isOver ? run.next.map((text) => <li key={text}>{text}</li>) : null}
        </ul>
        {!isOver && active.length > 6 ? <p class="quiet small">and {active.length - 6} more run</p> : null}
        {run.notes
          .filter(({ severity }) => severity === 'warning')
          .map(({ text }) => (
            <p class="small" key={text}>
              <Sign kind="warns" />
              {text}
            </p>
          ))}
      </section>
      {steps.length === 0 ? null : (
        <section class="panel">
          <header>
            <h2>Machines against rounds</h2>
            <p class="legend quiet small">
              <span class="ok">✓ done</span>
              <span>▸ runs</span>
              <span class="warn">… waits</span>
              <span class="bad">✗ failed</span>
              <span>· to come</span>
              {critical.ids.size === 0 ? null : <span class="on-chain">▁ critical path</span>}
            </p>
          </header>
          <StepGrid
            steps={run.steps}
            arranged={run.arranged}
            chosen={chosen}
            looksOf={critical.looksOf}
            choose={setChosen}
          />
        </section>
      )}
      {step === undefined ? null : <StepDetails step={step} run={run} />}
      <Timeline run={run} before={before} critical={critical.ids} floor={floor} />
      <Chain chain={chain} floor={floor} />
    </>
  )
}

function titleOf({ goal, outcome }: RunPicture, done: number, all: number): string {
  const name = goal === '' ? 'run' : goal
  return outcome === null ? `${name}: ${done} of ${countOf(all, 'step')}` : `${name}: ${outcome.replaceAll('-', ' ')}`
}

function levelOf({ outcome }: RunPicture, failed: number): string {
  if (failed > 0 || outcome === 'failed') return 'blocks'
  if (outcome === null) return 'unseen'
  return outcome === 'done' || outcome === 'nothing-to-do' ? 'well' : 'warns'
}

function isDone({ state }: StepPicture): boolean {
  return state === 'done' || state === 'already-done'
}

/** Goes on with the clock until it has ended. */
function Took({ from, to }: { readonly from: number; readonly to: number | null }) {
  return <>{durationText(Math.max(0, (to ?? now.value) - from))}</>
}

const maxNamed = 4

/** What is waited for, and by what. */
function Wait({ wait: { for: reason, steps } }: { readonly wait: ReturnType<typeof waitsOf>[number] }) {
  const since = steps[0]?.waitsSince ?? null
  const more = steps.length - maxNamed
  return (
    <li>
      <span class="sign warn" aria-hidden="true">
        …
      </span>
      waits for {reason}
      <span class="quiet">
        {since === null ? null : (
          <>
            {' '}
            since <Took from={since} to={null} />
          </>
        )}
        :{' '}
        {steps
          .slice(0, maxNamed)
          .map(({ title }) => title)
          .join(', ')}
        {more > 0 ? ` and ${more} more` : ''}
      </span>
    </li>
  )
}

function Active({ step: { title, note, startedAt } }: { readonly step: StepPicture }) {
  return (
    <li>
      <span class="sign quiet" aria-hidden="true">
        ▸
      </span>
      {title}
      {note === '' ? '' : `: ${note}`}{' '}
      <span class="quiet">{startedAt === null ? null : <Took from={startedAt} to={null} />}</span>
    </li>
  )
}

const looks: Readonly<Record<StepState, StepLooks>> = {
  next: { looks: '', sign: '·', spoken: 'to come' },
  running: { looks: 'running', sign: '▸', spoken: 'runs' },
  waiting: { looks: 'waiting', sign: '…', spoken: 'waits' },
  done: { looks: 'done', sign: '✓', spoken: 'done' },
  'already-done': { looks: 'done', sign: '✓', spoken: 'was done already' },
  failed: { looks: 'failed', sign: '✗', spoken: 'failed' },
  undone: { looks: 'failed', sign: '↶', spoken: 'undone' },
}

interface Critical {
  readonly ids: ReadonlySet<string>
  looksOf(step: StepPicture): StepLooks
}

/** Another one only for other steps: most events leave the critical path as it is. */
function useCritical(ids: readonly string[]): Critical {
  const last = useRef(criticalOf(new Set()))
  const { ids: known } = last.current
  if (known.size !== ids.length || ids.some((id) => !known.has(id))) last.current = criticalOf(new Set(ids))
  return last.current
}

function criticalOf(ids: ReadonlySet<string>): Critical {
  return { ids, looksOf: ({ id, state }) => (ids.has(id) ? criticalLooks : looks)[state] }
}

/** The same on the critical path. */
const criticalLooks = Object.fromEntries(
  Object.entries(looks).map(([state, { looks: name, sign, spoken }]) => [
    state,
    { looks: `${name} critical`, sign, spoken: `${spoken}, on the critical path` },
  ]),
) as Readonly<Record<StepState, StepLooks>>

function StepDetails({ step, run }: { readonly step: StepPicture; readonly run: RunPicture }) {
  const { title, state, note, waitsFor, startedAt, endedAt, after, id } = step
  const reason = run.plan?.steps.find((one) => one.id === id)?.reason
  const waits = after.flatMap((one) => run.steps.get(one) ?? []).filter((one) => !isDone(one))
  return (
    <section class="panel" aria-live="polite">
      <header>
        <h2>
          {looks[state].sign} {title}
        </h2>
        <span class="quiet small">{looks[state].spoken}</span>
      </header>
      <dl class="pairs">
        {reason === undefined ? null : (
          <>
            <dt>why</dt>
            <dd>{reason}</dd>
          </>
        )}
        <dt>took</dt>
        <dd>
          {startedAt === null ? (
            'not started'
          ) : (
            <Took from={startedAt} to={endedAt ?? (run.outcome === null ? null : run.lastAt)} />
          )}
        </dd>
        <dt>reported</dt>
        <dd>{note === '' ? 'nothing' : note}</dd>
        {waitsFor === '' ? null : (
          <>
            <dt>waits for</dt>
            <dd>{waitsFor}</dd>
          </>
        )}
        {waits.length === 0 ? null : (
          <>
            <dt>comes after</dt>
            <dd>{waits.map((one) => one.title).join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Chain({ chain, floor }: { readonly chain: readonly StepPicture[]; readonly floor: number }) {
  if (chain.length < 2) return null
  return (
    <section class="panel">
      <header>
        <h2>Critical path</h2>
        <span class="quiet small">
          each waited for the one before: {durationText(chain.reduce((sum, step) => sum + workedMs(step), 0))} of work
          {floor === 0 ? '' : `; with these steps no run takes less than ${durationText(floor)}`}
        </span>
      </header>
      <ol class="rows small">
        {chain.map((step) => (
          <li key={step.id}>
            {step.title}{' '}
            <span class="quiet">
              {step.endedAt === null ? 'runs' : durationText(workedMs(step))}
              {step.waitedMs < 1000 ? '' : `, waited ${durationText(step.waitedMs)}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
