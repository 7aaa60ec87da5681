import { useMemo, useRef } from 'preact/hooks'
import { type Grid, gridOf, type Placed } from '../data/waves.js'
import { kept } from './kept.js'
import { useGrowing } from './use-growing.js'

const rowsAtOnce = 40

/** How a step looks in its cell. */
export interface StepLooks {
  readonly looks: string
  readonly sign: string
  /** For those who hear the page. */
  readonly spoken: string
}

interface Props<T> {
  readonly steps: ReadonlyMap<string, T>
  /** The same steps; another list only when they stand elsewhere. */
  readonly arranged: readonly Placed[]
  readonly chosen: string
  looksOf(step: T): StepLooks
  choose(id: string): void
}

interface Named {
  readonly id: string
  readonly title: string
  /** Of a run: why it has not gone on. */
  readonly waitsFor?: string
}

interface DrawnStep {
  readonly step: Named
  readonly looks: StepLooks
}

/** Machines against rounds. One step can be reached with Tab, the others from there with arrows. */
export function StepGrid<T extends Named>({ steps, arranged, chosen, looksOf, choose }: Props<T>) {
  const table = useRef<HTMLTableElement>(null)
  const order = useMemo(() => gridOf(arranged), [arranged])
  const drawnRows = useGrowing(order.rows.length, rowsAtOnce)
  const first = order.rows[0]?.cells.find((cell) => cell.length > 0)?.[0]?.id ?? ''
  const reachable = steps.has(chosen) ? chosen : first
  const drawn = (id: string): DrawnStep[] => {
    const step = steps.get(id)
    return step === undefined ? [] : [{ step, looks: looksOf(step) }]
  }
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
          {order.rows.slice(0, drawnRows).map(({ name, cells }) => (
            <Row
              key={name}
              {...{ name, order, chosen, reachable, choose }}
              cells={cells.map((cell) => cell.flatMap(({ id }) => drawn(id)))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly cells: readonly (readonly DrawnStep[])[]
  readonly order: Grid<Placed>
  readonly chosen: string
  readonly reachable: string
  choose(id: string): void
}

/** Of a large run each event concerns one row. */
const Row = kept(drawRow, ({ order, cells, chosen, reachable, choose }: RowProps) => {
  const steps = cells.flat()
  const holds = (wanted: string) => steps.some(({ step }) => step.id === wanted) && wanted
  return [order, choose, holds(chosen), holds(reachable), ...steps.flatMap(({ step, looks }) => [step, looks])]
})

function drawRow({ name, cells, order, chosen, reachable, choose }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, column) => (
        <td key={column} class={startsRound(order, column) ? 'first' : ''}>
          <div class="cell">
            {cell.map(({ step: { id, title, waitsFor = '' }, looks: { looks, sign, spoken } }) => (
              <button
                type="button"
                key={id}
                class={`step ${looks}${id === chosen ? ' chosen' : ''}`}
                tabIndex={id === reachable ? 0 : -1}
                title={waitsFor === '' ? title : `${title}: waits for ${waitsFor}`}
                aria-label={`${title}, ${spoken}${waitsFor === '' ? '' : ` for ${waitsFor}`}`}
                aria-pressed={id === chosen}
                onClick={() => choose(id)}
              >
                {sign}
              </button>
            ))}
          </div>
        </td>
      ))}
    </tr>
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
