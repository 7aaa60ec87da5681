import { box, label, svg } from './svg.js'

/** What the picture shows of a host. Bytes. */
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

const left = 120
const barWidth = 320
const lineHeight = 22
const GiB = 1024 ** 3

/** Hosts as bars: what is used of vCPU, memory and storages, and which machines are there. */
export function capacitySvg(cluster: string, hosts: readonly Host[]): string {
  const parts: string[] = [label(16, 28, `${cluster}: capacity`, 18, 'bold')]
  let y = 48
  for (const host of hosts) {
    const bars = barsOf(host)
    parts.push(label(16, y + 16, `${host.name}${host.isOffline ? ' (offline)' : ''}`, 14, 'bold'))
    for (const [index, one] of bars.entries()) parts.push(...barParts(one, y + index * lineHeight))
    y += bars.length * lineHeight
    parts.push(label(left, y + 14, [...host.machines, ...host.guests].join(', ') || 'no machine'))
    y += lineHeight + 12
  }
  return svg(left + barWidth + 220, y + 8, `Capacity of ${cluster}`, parts)
}

interface Bar extends Amount {
  readonly text: string
}

function barsOf({ cpu, memory, storages = [] }: Host): Bar[] {
  const size = ({ used, total }: Amount) =>
    `${Math.round(used / GiB)}/${total === undefined ? '?' : Math.round(total / GiB)} GiB`
  return [
    { ...cpu, text: `vCPU ${cpu.used}/${cpu.total ?? '?'}` },
    { ...memory, text: `memory ${size(memory)}` },
    ...storages.map((storage) => ({ ...storage, text: `${storage.name} ${size(storage)}` })),
  ]
}

function barParts({ used, total, text }: Bar, y: number): string[] {
  const share = total === undefined || total <= 0 ? 0 : Math.min(1, used / total)
  const fill = share > 0.9 ? '#dc2626' : share > 0.75 ? '#d97706' : '#2563eb'
  return [
    box({ x: left, y: y + 4, width: barWidth, height: 14, fill: '#e5e7eb', title: text }),
    ...(share > 0
      ? [box({ x: left, y: y + 4, width: Math.round(barWidth * share), height: 14, fill, title: text })]
      : []),
    label(left + barWidth + 10, y + 16, text),
  ]
}
