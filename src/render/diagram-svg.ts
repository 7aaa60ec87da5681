import { box, colours, fitText, label, line, svg, textWidth } from './svg.js'
import {
  type Topology,
  type TopologyHost,
  type TopologyNetwork,
  type TopologyVm,
  unknownHost,
  vmKind,
  vmPlace,
  vmSize,
} from './topology.js'

const margin = 24
const panelWidth = 290
const gap = 20
const maxColumns = 4
const panelHead = 38
const cardHeight = 62
/** Above this number of machines, a host shows one line for each. */
const maxCards = 10
const compactHeight = 22
const railHeight = 34
const stationGap = 38

/** Hosts as panels with their machines; below each row of hosts their networks. */
export function diagramSvg(topology: Topology): string {
  const { cluster, hosts, networks } = topology
  const perRow = Math.max(1, Math.min(maxColumns, hosts.length))
  const columns = hosts.length === 1 ? 2 : 1
  const panelSize = columns * (panelWidth - 10) + 10
  const width = Math.max(2 * margin + perRow * panelSize + (perRow - 1) * gap, 2 * margin + reachWidth(topology))
  const left = (position: number) => margin + position * (panelSize + gap)
  const parts = [...heading(topology), ...reachParts(topology, 84)]
  let y = 148
  for (let first = 0; first < hosts.length; first += perRow) {
    const row = hosts.slice(first, first + perRow)
    const height = Math.max(...row.map((host) => panelHeight(host, columns)))
    parts.push(
      ...row.flatMap((_, index) => cables(left(index) + panelSize / 2, y + height, networks)),
      ...row.flatMap((host, index) => panel(host, { x: left(index), y, width: panelSize, height, columns })),
      ...networks.flatMap((network, index) => rail(network, y + height + 18 + index * railHeight, width)),
    )
    y += height + 18 + networks.length * railHeight + 24
  }
  parts.push(...legend(y, hosts))
  return svg(width, y + 28, `Diagram of ${cluster}`, parts)
}

function heading({ cluster, talosVersion, kubernetesVersion, hosts }: Topology): string[] {
  const machines = hosts.reduce((sum, host) => sum + host.machines.length, 0)
  const facts = [
    `${machines} ${machines === 1 ? 'machine' : 'machines'}`,
    `Talos ${talosVersion}`,
    `Kubernetes ${kubernetesVersion}`,
  ].join(' · ')
  return [
    label({ x: margin, y: 40, text: cluster, size: 20, bold: true }),
    label({ x: margin, y: 62, text: facts, fill: colours.faint }),
  ]
}

/** From the user through a jump host to the API. */
function stationsOf({ jump, endpoint, vip }: Topology): { text: string; fill: string; width: number }[] {
  const api = endpoint ?? 'Kubernetes API, address by DHCP'
  const stations = [
    { text: 'you', fill: colours.card },
    ...(jump === undefined ? [] : [{ text: jump, fill: colours.jump }]),
    { text: vip === undefined ? api : `${api} (VIP)`, fill: colours.api },
  ]
  return stations.map((station) => ({ ...station, width: textWidth(station.text, 13) + 28 }))
}

function reachWidth(topology: Topology): number {
  return stationsOf(topology).reduce((sum, { width }) => sum + width + stationGap, -stationGap)
}

function reachParts(topology: Topology, y: number): string[] {
  let x = margin
  return stationsOf(topology).flatMap(({ text, fill, width }, index) => {
    const drawn = [
      ...(index === 0 ? [] : arrowParts(x - stationGap + 4, x - 4, y + 17)),
      box({ x, y, width, height: 34, fill, stroke: colours.line, radius: 17 }),
      label({ x: x + width / 2, y: y + 22, text, size: 13, anchor: 'middle' }),
    ]
    x += width + stationGap
    return drawn
  })
}

function arrowParts(from: number, to: number, y: number): string[] {
  return [line(from, y, to - 6, y, colours.faint), `<path d="M ${to} ${y} l -8 -4.5 v 9 z" fill="${colours.faint}"/>`]
}

function vmsOf({ machines, guests }: TopologyHost): TopologyVm[] {
  return [...machines, ...guests]
}

/** The machines of a host as cards, or one line each if there are many. */
function rowsOf(host: TopologyHost, columns: number): { vms: TopologyVm[]; height: number }[] {
  const vms = vmsOf(host)
  if (vms.length > maxCards * columns) return vms.map((vm) => ({ vms: [vm], height: compactHeight }))
  const rows = Array.from({ length: Math.ceil(vms.length / columns) }, (_, row) =>
    vms.slice(row * columns, (row + 1) * columns),
  )
  return rows.map((row) => ({ vms: row, height: Math.max(...row.map(heightOfCard)) + 8 }))
}

function heightOfCard({ devices }: TopologyVm): number {
  return cardHeight + (devices.length > 0 ? 20 : 0)
}

function panelHeight(host: TopologyHost, columns: number): number {
  const rows = rowsOf(host, columns)
  return (
    panelHead +
    Math.max(
      cardHeight,
      rows.reduce((sum, { height }) => sum + height, 0),
    ) +
    8
  )
}

interface PanelPlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly columns: number
}

function panel(host: TopologyHost, { x, y, width, height, columns }: PanelPlace): string[] {
  const rows = rowsOf(host, columns)
  const isCompact = rows[0]?.height === compactHeight
  const frame = [
    box({ x, y, width, height, fill: colours.panel, stroke: colours.line, radius: 8 }),
    label({ x: x + 14, y: y + 25, text: fitText(host.name ?? unknownHost, width - 110, 14), size: 14, bold: true }),
    ...(host.name === undefined
      ? []
      : [label({ x: x + width - 14, y: y + 25, text: 'Proxmox host', fill: colours.faint, anchor: 'end' })]),
  ]
  if (rows.length === 0) {
    return [...frame, label({ x: x + 14, y: y + panelHead + 22, text: 'no machines', fill: colours.faint })]
  }
  let top = y + panelHead
  const drawn = rows.flatMap(({ vms, height: rowHeight }) => {
    const row = vms.flatMap((vm, column) =>
      isCompact ? compactRow(vm, x, top, width) : card(vm, x + 10 + column * (panelWidth - 10), top),
    )
    top += rowHeight
    return row
  })
  return [...frame, ...drawn]
}

const colourOf = { controlplane: colours.blue, worker: colours.green, guest: colours.grey } as const

function card(vm: TopologyVm, x: number, y: number): string[] {
  const width = panelWidth - 20
  const height = heightOfCard(vm)
  const kind = vmKind(vm)
  const kindWidth = textWidth(kind, 11)
  return [
    box({ x, y, width, height, fill: colours.card, stroke: colours.line, radius: 6, title: `${vm.name}: ${kind}` }),
    box({ x, y, width: 5, height, fill: colourOf[vm.kind], radius: 2.5 }),
    label({ x: x + 16, y: y + 20, text: fitText(vm.name, width - kindWidth - 40, 13), size: 13, bold: true }),
    label({ x: x + width - 10, y: y + 20, text: kind, size: 11, fill: colourOf[vm.kind], anchor: 'end' }),
    label({ x: x + 16, y: y + 37, text: fitText(vmPlace(vm), width - 26) }),
    label({ x: x + 16, y: y + 53, text: fitText(vmSize(vm), width - 26), fill: colours.faint }),
    ...(vm.devices.length > 0 ? chip(`PCI ${vm.devices.join(', ')}`, x + 16, y + 60, width - 26) : []),
  ]
}

function chip(text: string, x: number, y: number, most: number): string[] {
  const shown = fitText(text, most - 16, 11)
  return [
    box({ x, y, width: textWidth(shown, 11) + 16, height: 17, fill: colours.device, radius: 8 }),
    label({ x: x + 8, y: y + 12.5, text: shown, size: 11 }),
  ]
}

function compactRow(vm: TopologyVm, x: number, y: number, width: number): string[] {
  return [
    box({ x: x + 14, y: y + 5, width: 8, height: 8, fill: colourOf[vm.kind], title: vmKind(vm) }),
    label({ x: x + 30, y: y + 13, text: fitText(vm.name, 120) }),
    label({
      x: x + width - 14,
      y: y + 13,
      text: fitText(vmPlace(vm), width - 170, 11),
      size: 11,
      fill: colours.faint,
      anchor: 'end',
    }),
  ]
}

/** From a host down to every network. */
function cables(middle: number, bottom: number, networks: readonly TopologyNetwork[]): string[] {
  return networks.map((_, index) => {
    const at = middle + index * 16
    return line(at, bottom, at, bottom + 18 + index * railHeight + 11, colours.faint)
  })
}

function rail({ name, cidr, gateway }: TopologyNetwork, y: number, width: number): string[] {
  const text = [name, cidr, gateway === undefined ? undefined : `gateway ${gateway}`]
    .filter((part) => part !== undefined)
    .join(' · ')
  return [
    box({
      x: margin,
      y,
      width: width - 2 * margin,
      height: 22,
      fill: colours.network,
      stroke: colours.networkLine,
      radius: 11,
    }),
    label({ x: margin + 16, y: y + 15.5, text }),
  ]
}

function legend(y: number, hosts: readonly TopologyHost[]): string[] {
  const kinds = new Set(hosts.flatMap(vmsOf).map(({ kind }) => kind))
  const entries = [
    { kind: 'controlplane', text: 'control plane' },
    { kind: 'worker', text: 'worker' },
    { kind: 'guest', text: 'guest: created once, then not changed' },
  ] as const
  let x = margin
  return entries
    .filter(({ kind }) => kinds.has(kind))
    .flatMap(({ kind, text }) => {
      const drawn = [
        box({ x, y, width: 10, height: 10, fill: colourOf[kind] }),
        label({ x: x + 16, y: y + 9, text, size: 11, fill: colours.faint }),
      ]
      x += textWidth(text, 11) + 44
      return drawn
    })
}
