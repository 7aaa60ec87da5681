import { useMemo, useRef } from 'preact/hooks'
import { type Grid, gridOf, type Placed } from '../data/waves.js'

/** How a step looks in its cell. */
export interface StepLooks {
  readonly looks: string
  readonly sign: string
  /** For those who hear the page. */
  readonly spoken: string
}

interface Props<T extends Placed> {
  readonly steps: readonly T[]
  readonly chosen: string
  looksOf(step: T): StepLooks
  choose(id: string): void
}

/** Machines against rounds. One step can be reached with Tab, the others from there with arrows. */
export function StepGrid<T extends Placed & { readonly title: string }>({ steps, chosen, looksOf, choose }: Props<T>) {
  const table = useRef<HTMLTableElement>(null)
  const order = useMemo(() => gridOf(steps), [steps])
  const byId = new Map(steps.map((step) => [step.id, step]))
  const first = order.rows[0]?.cells.find((cell) => cell.length > 0)?.[0]?.id ?? ''
  const reachable = byId.has(chosen) ? chosen : first
  return (
    <div class="scroll">
      <table class="steps" ref={table} onKeyDown={(event) => move(event, table.current)}>
        <thead>
          <tr>
            <td />
            {roundsOf(order).map(({ round, waves }) => (
              <th key={round} scope="colgroup" class="round" colSpan={waves}>
                round {round}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column} class={startsRound(order, column) ? 'first' : ''}>
                  <div class="cell">
                    {cell.map(({ id }) => {
                      const step = byId.get(id)
                      if (step === undefined) return null
                      const { looks, sign, spoken } = looksOf(step)
                      return (
                        <button
                          type="button"
                          key={id}
                          class={`step ${looks}${id === chosen ? ' chosen' : ''}`}
                          tabIndex={id === reachable ? 0 : -1}
                          title={step.title}
                          aria-label={`${step.title}, ${spoken}`}
                          aria-pressed={id === chosen}
                          onClick={() => choose(id)}
                        >
                          {sign}
                        </button>
                      )
                    })}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function roundsOf({ columns }: Grid<Placed>): { round: number; waves: number }[] {
  const rounds = [...new Set(columns.map(({ round }) => round))]
  return rounds.map((round) => ({ round, waves: columns.filter((column) => column.round === round).length }))
}

function startsRound({ columns }: Grid<Placed>, column: number): boolean {
  return columns[column]?.round !== columns[column - 1]?.round
}

/** Left and right within a row; up and down to the nearest step of the next row that has one. */
function move(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
  const from = event.target
  if (step === undefined || table === null || !(from instanceof HTMLButtonElement)) return
  const [down = 0, right = 0] = step
  const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => [...row.querySelectorAll('button')])
  const row = rows.findIndex((buttons) => buttons.includes(from))
  const to = right !== 0 ? rows[row]?.[(rows[row]?.indexOf(from) ?? 0) + right] : nearest(rows[row + down] ?? [], from)
  if (to === undefined) return
  event.preventDefault()
  to.focus()
  to.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function nearest(buttons: readonly HTMLButtonElement[], from: HTMLElement): HTMLButtonElement | undefined {
  const { left } = from.getBoundingClientRect()
  const distance = (button: HTMLElement) => Math.abs(button.getBoundingClientRect().left - left)
  return [...buttons].sort((one, other) => distance(one) - distance(other))[0]
}
