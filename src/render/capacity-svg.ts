import { GiB } from '../cluster/machine.js'
import { box, colours, fitText, label, svg } from './svg.js'

/** A host in the picture. Sizes in bytes. */
interface Host {
  readonly name: string
  readonly cpu: Amount
  readonly memory: Amount
  readonly machines: readonly string[]
  readonly guests: readonly string[]
  readonly storages?: readonly (Amount & { readonly name: string })[]
  readonly isOffline?: boolean
}

interface Amount {
  readonly used: number
  readonly total?: number
}

const margin = 24
const width = 760
const nameWidth = 130
const barLeft = margin + 16 + nameWidth
const barWidth = 330
const rowHeight = 24

/** Hosts as panels: bars for used vCPU, memory and storage, and the machines. */
export function capacitySvg(cluster: string, hosts: readonly Host[]): string {
  const parts: string[] = [label({ x: margin, y: 38, text: `${cluster}: capacity`, size: 18, bold: true })]
  let y = 58
  for (const host of hosts) {
    const { height, drawn } = panel(host, y)
    parts.push(...drawn)
    y += height + 16
  }
  return svg(width, y + 8, `Capacity of ${cluster}`, parts)
}

function panel(host: Host, top: number): { height: number; drawn: string[] } {
  const bars = barsOf(host)
  const height = 40 + bars.length * rowHeight + 34
  const machines = [...host.machines, ...host.guests.map((guest) => `${guest} (guest)`)]
  const drawn = [
    box({ x: margin, y: top, width: width - 2 * margin, height, fill: colours.panel, stroke: colours.line, radius: 8 }),
    label({ x: margin + 16, y: top + 26, text: host.name, size: 14, bold: true }),
    ...(host.isOffline
      ? [label({ x: width - margin - 16, y: top + 26, text: 'offline', fill: colours.red, anchor: 'end' })]
      : []),
    ...bars.flatMap((bar, index) => barParts(bar, top + 40 + index * rowHeight)),
    label({
      x: margin + 16,
      y: top + height - 14,
      text: fitText(machines.join(', ') || 'no machines', width - 2 * margin - 32),
      fill: colours.faint,
    }),
  ]
  return { height, drawn }
}

interface Bar extends Amount {
  readonly name: string
  readonly text: string
}

function barsOf({ cpu, memory, storages = [] }: Host): Bar[] {
  const size = ({ used, total }: Amount) =>
    `${Math.round(used / GiB)} of ${total === undefined ? '?' : Math.round(total / GiB)} GiB`
  return [
    { ...cpu, name: 'vCPU', text: `${cpu.used} of ${cpu.total ?? '?'}` },
    { ...memory, name: 'memory', text: size(memory) },
    ...storages.map((storage) => ({ ...storage, text: size(storage) })),
  ]
}

function barParts({ used, total, name, text }: Bar, y: number): string[] {
  const share = total === undefined || total <= 0 ? 0 : Math.min(1, used / total)
  const fill = share > 0.9 ? colours.red : share > 0.75 ? colours.amber : colours.blue
  const filled = Math.max(share > 0 ? 4 : 0, Math.round(barWidth * share))
  const bar = { x: barLeft, y: y + 3, height: 12, radius: 6 }
  return [
    label({ x: margin + 16, y: y + 13, text: fitText(name, nameWidth - 8) }),
    box({ ...bar, width: barWidth, fill: colours.track, title: `${name}: ${text}` }),
    ...(filled > 0 ? [box({ ...bar, width: filled, fill, radius: Math.min(6, filled / 2) })] : []),
    label({ x: barLeft + barWidth + 14, y: y + 13, text: percentText(share, total, text) }),
  ]
}

function percentText(share: number, total: number | undefined, text: string): string {
  return total === undefined || total <= 0 ? text : `${text}  (${Math.round(share * 100)} %)`
}
