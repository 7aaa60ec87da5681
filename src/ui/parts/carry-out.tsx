import { useRef, useState } from 'preact/hooks'
import type { PlanView } from '../../events/plan-view.js'
import type { Source } from '../data/source.js'
import { address, clusterIndex } from '../data/store.js'

/** Applies the plan on the screen: its digest is sent. What interrupts or loses something needs the cluster's name. */
export function CarryOut({ plan, source }: { readonly plan: PlanView; readonly source: Source }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const [isSent, setSent] = useState(false)
  const losses = plan.steps.flatMap(({ loses }) => loses)
  const disruptive = plan.steps.filter((step) => step.disruptive)
  const isGrave = losses.length > 0 || disruptive.length > 0
  const send = () => {
    setSent(true)
    setProblem('')
    source
      .carryOut(clusterIndex.value, { digest: plan.digest, name: typed })
      .then(() => {
        dialog.current?.close()
        location.hash = address('runs')
      })
      .catch((thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)))
      .finally(() => setSent(false))
  }
  return (
    <>
      <button type="button" class={`act${isGrave ? ' grave' : ''}`} onClick={() => dialog.current?.showModal()}>
        Apply this plan…
      </button>
      <dialog ref={dialog} aria-label="Apply this plan">
        <form
          class="dialog-body"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <h2>
            Apply {plan.changes} changes to {plan.cluster}?
          </h2>
          {losses.length === 0 ? null : (
            <ul class="bad">
              {losses.map((loss) => (
                <li key={loss}>− {loss}</li>
              ))}
            </ul>
          )}
          {disruptive.length === 0 ? null : (
            <ul class="warn">
              {disruptive.map(({ id, title }) => (
                <li key={id}>~ {title}</li>
              ))}
            </ul>
          )}
          {isGrave ? (
            <label>
              Type <strong>{plan.cluster}</strong> to agree:
              <input
                class="field"
                value={typed}
                autocomplete="off"
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          ) : null}
          {problem === '' ? null : (
            <p class="bad" role="alert">
              {problem}
            </p>
          )}
          <p class="line">
            <button
              type="submit"
              class={`act${isGrave ? ' grave' : ''}`}
              disabled={isSent || (isGrave && typed !== plan.cluster)}
            >
              Apply
            </button>{' '}
            <button type="button" class="act" onClick={() => dialog.current?.close()}>
              Not now
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}
