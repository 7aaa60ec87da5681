import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PlanView, StepView } from '../../events/plan-view.js'
import { noteText } from '../../findings/notes/define-note.js'
import type { ClusterState, PlanAnswer } from '../../page/state.js'
import type { Source } from '../data/source.js'
import { clusterIndex, state as pageState, plans } from '../data/store.js'
import { Ago } from '../parts/age.js'
import { CarryOut } from '../parts/carry-out.js'
import { Command, forCluster } from '../parts/command.js'
import { countOf } from '../parts/format.js'
import { Sign } from '../parts/sign.js'
import { StepGrid, type StepLooks } from '../parts/step-grid.js'
import { Failed } from '../parts/verdict.js'

export function Plan({ state, source }: { readonly state: ClusterState; readonly source: Source }) {
  const index = clusterIndex.value
  const [problem, setProblem] = useState('')
  const ask = () => {
    source
      .plan(index)
      .then((answer) => {
        plans.value = { ...plans.value, [index]: answer }
        setProblem('')
      })
      .catch((thrown: unknown) => setProblem(String(thrown)))
  }
  useEffect(ask, [index])
  const answer = plans.value[index]
  if (answer === undefined) return <section class="panel">{problem === '' ? 'Planning…' : problem}</section>
  return <Answered answer={answer} state={state} source={source} ask={ask} />
}

interface AnsweredProps {
  readonly answer: PlanAnswer
  readonly state: ClusterState
  readonly source: Source
  ask(): void
}

function Answered({ answer: { plan, at, failure }, state: { options }, source, ask }: AnsweredProps) {
  const [chosen, setChosen] = useState('')
  const steps = useMemo(() => new Map(plan?.steps.map((one) => [one.id, one])), [plan])
  const again = source.isLive ? (
    <button type="button" class="tool" onClick={ask}>
      Plan again
    </button>
  ) : null
  if (plan === null)
    return (
      <section class="panel verdict unseen">
        <h1>No plan can be made</h1>
        <Failed failure={failure} />
        {again}
      </section>
    )
  const step = steps.get(chosen)
  const losses = plan.steps.flatMap(({ loses }) => loses)
  return (
    <>
      <section class={`panel verdict ${losses.length > 0 ? 'blocks' : plan.changes > 0 ? 'warns' : 'well'}`}>
        <div class="line">
          <h1>{summaryOf(plan)}</h1>
          {again}
        </div>
        {losses.map((loss) => (
          <p class="bad" key={loss}>
            <span aria-hidden="true">−</span> loses {loss}
          </p>
        ))}
        <p class="quiet small">
          {countOf(plan.changes, 'change')} in {countOf(plan.rounds, 'round')}, made <Ago at={at} />. Plan{' '}
          <code>{plan.digest.slice(0, 16)}</code>, as of <code>ichor plan --out FILE</code>.
        </p>
        {plan.changes === 0 ? null : (
          <p class="line">
            {pageState.value?.may_change === true && source.isLive ? <CarryOut plan={plan} source={source} /> : null}
            <Command text={forCluster('ichor up', options)} />
          </p>
        )}
        <Notes plan={plan} />
      </section>
      {plan.steps.length === 0 ? null : (
        <section class="panel">
          <header>
            <h2>Machines against rounds</h2>
            <p class="legend quiet small">
              <span>+ changes</span>
              <span class="warn">~ interrupts</span>
              <span class="bad">− loses data</span>
              <span>… waits</span>
            </p>
          </header>
          <StepGrid steps={steps} arranged={plan.steps} chosen={chosen} looksOf={looksOf} choose={setChosen} />
        </section>
      )}
      {step === undefined ? <StepList plan={plan} /> : <StepDetails step={step} plan={plan} />}
    </>
  )
}

function summaryOf({ machines, others, changes, steps }: PlanView): string {
  if (steps.length === 0 || changes === 0) return 'Nothing to do: the cluster is as the inventory wants it'
  const words = { create: 'to create', change: 'to change', replace: 'to replace', delete: 'to delete' } as const
  const parts = Object.entries(words).flatMap(([action, text]) => {
    const count = machines.filter((machine) => machine.action === action).length
    return count === 0 ? [] : [`${countOf(count, 'machine')} ${text}`]
  })
  return parts.length > 0
    ? parts.join(', ')
    : others.length > 0
      ? countOf(others.length, 'other change')
      : countOf(changes, 'change')
}

/** Plans of an earlier version have no findings. */
function Notes({ plan: { notes, unknown, away, findings = [] } }: { readonly plan: PlanView }) {
  const warning = (text: string) => ({ kind: 'warns', text, code: '' }) as const
  const found = findings.map((one) => ({ kind: one.severity, text: noteText(one), code: one.code }))
  const lines = [
    ...away.map((name) => warning(`${name} cannot be changed now: its host does not respond`)),
    ...unknown.map(({ what, why }) => warning(`${what} could not be seen and is left as it is: ${why}`)),
    ...notes.filter((note) => !found.some(({ text }) => text === note)).map(warning),
    ...found,
  ]
  if (lines.length === 0) return null
  return (
    <ul class="rows small">
      {lines.map(({ kind, text, code }) => (
        <li key={`${code} ${text}`}>
          <Sign kind={kind} />
          {text} <span class="quiet mono">{code}</span>
        </li>
      ))}
    </ul>
  )
}

function looksOf({ waits, loses, disruptive }: StepView): StepLooks {
  if (loses.length > 0) return { looks: 'loses', sign: '−', spoken: 'loses data' }
  if (disruptive) return { looks: 'disruptive', sign: '~', spoken: 'interrupts' }
  return waits
    ? { looks: 'waits', sign: '…', spoken: 'waits' }
    : { looks: 'changes', sign: '+', spoken: 'changes something' }
}

function StepDetails({ step, plan }: { readonly step: StepView; readonly plan: PlanView }) {
  const { title, round, reason, changes, loses, after, lane, pending } = step
  const titleOf = (id: string) => plan.steps.find((one) => one.id === id)?.title ?? id
  return (
    <section class="panel" aria-live="polite">
      <header>
        <h2>
          {looksOf(step).sign} {title}
        </h2>
        <span class="quiet small">
          round {round}, {looksOf(step).spoken}
        </span>
      </header>
      <dl class="pairs">
        <dt>why</dt>
        <dd>{reason}</dd>
        {changes.map(({ what, from, to }) => (
          <>
            <dt>{what}</dt>
            <dd>
              {from ?? 'none'} → {to ?? 'removed'}
            </dd>
          </>
        ))}
        {loses.length === 0 ? null : (
          <>
            <dt>loses</dt>
            <dd class="bad">{loses.join(', ')}</dd>
          </>
        )}
        <dt>after</dt>
        <dd>{after.length === 0 ? 'nothing: it starts at once' : after.map(titleOf).join(', ')}</dd>
        {lane === null ? null : (
          <>
            <dt>takes turns in</dt>
            <dd class="mono">{lane}</dd>
          </>
        )}
        {pending.length === 0 ? null : (
          <>
            <dt>known later</dt>
            <dd>{pending.join(', ')}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

const maxListed = 300

/** Values that the reason of a step does not already spell out. */
function valuesBeside({ reason, changes }: StepView): StepView['changes'] {
  return changes.filter(({ from, to }) => !reason.includes(`${from ?? 'unset'} -> ${to ?? 'unset'}`))
}

function StepList({ plan: { steps } }: { readonly plan: PlanView }) {
  if (steps.length === 0) return null
  return (
    <section class="panel">
      <header>
        <h2>Every step</h2>
        <span class="quiet small">choose one above to see what it waits for</span>
      </header>
      <ul class="step-list">
        {steps.slice(0, maxListed).map((step) => (
          <li key={step.id}>
            <span class="quiet" aria-hidden="true">
              {looksOf(step).sign}
            </span>
            <div>
              {step.title} <span class="quiet small">{step.reason}</span>
              {valuesBeside(step).map(({ what, from, to }) => (
                <span class="small" key={what}>
                  {' '}
                  {what} {from ?? 'none'} → {to ?? 'removed'}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {steps.length > maxListed ? <p class="quiet">and {steps.length - maxListed} more: ichor plan --steps</p> : null}
    </section>
  )
}
